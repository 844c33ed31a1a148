#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A program in the place of `spool-render` that does what it should, and for probes of certain paths something else. What is
/// served by it must go on as if nothing had happened.
public struct LyingRenderer: Sendable {
    /// What it does instead: the name of the lie is the end of the probe's path. Every probe of another path succeeds.
    public enum Lie: String, CaseIterable, Sendable {
        /// A line that is no message.
        case noMessage
        /// A message of a kind that does not exist.
        case unknownMessage
        /// Half a line, and its end.
        case halfLine
        /// A line without end.
        case endlessLine
        /// Exit code 0 in the middle of the job.
        case earlyExit
        /// An answer to an order that nobody gave.
        case wrongOrder
        /// Standard output is closed, and it lives on.
        case closedOutput
        /// Standard output and standard error are closed, and it lives on.
        case closedPipes
        /// It ends, and leaves a process that holds its pipes.
        case leftBehind
        /// It is killed.
        case killed
    }

    /// Results that nobody may believe.
    public enum FalseResult: String, CaseIterable, Sendable {
        /// A source that was looked at, and of which nothing is known.
        case noFacts
        /// A sound without samples.
        case impossibleFacts
    }

    /// Lies that only come out behind the job, which itself has succeeded.
    public enum LateLie: String, CaseIterable, Sendable {
        /// A second answer to the same order.
        case secondAnswer
        /// Text behind the answer.
        case textBehind
        /// It ends between two jobs.
        case exitBehind
        /// A log that is never said to be over.
        case openLog
        /// A log without end, on a line without end.
        case hugeLog
        /// When its input ends it stays.
        case stays
    }

    /// It says nothing at all, nor does it heed signals that it may ignore.
    public static let silence = "silence"

    /// The program's file.
    public let executable: String

    /// Writes the program into a directory.
    public init(in directory: TemporaryDirectory) throws {
        executable = directory.file("lying-renderer")
        let script = Data(LyingRenderer.script.utf8)
        guard
            FileManager.default.createFile(
                atPath: executable, contents: script, attributes: [.posixPermissions: 0o755])
        else { throw CocoaError(.fileWriteUnknown) }
    }

    private static let script = #"""
        #!/bin/bash
        trap '' TERM INT HUP
        answer() {
            path=${line##*\"path\":\"}
            hash=${path%%\"*}
            hash=${hash##*/}
            # An asset's file is named by its hash.
            [ ${#hash} = 64 ] || hash=$(printf '%064d' 0)
            printf '{"order":%s,"message":{"finished":{"result":{"cost":%s,"facts":%s}}}}\n' "$1" \
                '{"decode":0,"compose":0,"encode":0,"mix":0,"stitch":0}' \
                "{\"contentHash\":\"$hash\",\"byteCount\":0,\"container\":\"srt\",\"origin\":0}"
        }
        forever() { while :; do sleep 1000; done; }
        stays=
        while IFS= read -r line; do
            number=${line##*\"number\":}
            number=${number%%[,\}]*}
            case "$line" in
                *noMessage*) printf 'thirty \033[31mbottles\n' ; forever ;;
                *unknownMessage*) printf '{"order":%s,"message":{"sang":{}}}\n' "$number"; forever ;;
                *halfLine*) printf '{"order":1,"mess'; exit 0 ;;
                *endlessLine*) head -c 100000000 /dev/zero | tr '\0' x; forever ;;
                *earlyExit*) exit 0 ;;
                *wrongOrder*) answer 77; forever ;;
                *closedOutput*) exec >&-; forever ;;
                *closedPipes*) exec >&- 2>&- <&-; forever ;;
                *leftBehind*) sleep 1000 & exit 3 ;;
                *killed*) kill -KILL $$ ;;
                *noFacts*) printf '\036\n' >&2; answer "$number" | sed 's/,"facts":.*/}}}}/'; continue ;;
                *impossibleFacts*) printf '\036\n' >&2; answer "$number" | sed 's/"byteCount":0/"byteCount":-1/'; continue ;;
                *silence*) forever ;;
            esac
            case "$line" in
                *hugeLog*) head -c 50000000 /dev/zero | tr '\0' y >&2; printf '\n\036\n' >&2; answer "$number" ;;
                *openLog*) answer "$number" ;;
                *secondAnswer*) printf '\036\n' >&2; printf '%s\n%s\n' "$(answer "$number")" "$(answer "$number")" ;;
                *textBehind*) printf '\036\n' >&2; printf '%s\nand another thing\n' "$(answer "$number")" ;;
                *exitBehind*) printf '\036\n' >&2; answer "$number"; exit 0 ;;
                *stays*) stays=yes; printf '\036\n' >&2; answer "$number" ;;
                *) printf '\036\n' >&2; answer "$number" ;;
            esac
        done
        [ -z "$stays" ] || forever
        """#
}
