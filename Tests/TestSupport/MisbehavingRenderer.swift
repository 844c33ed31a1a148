import ExportPlan
import FoundationEssentials

/// A program in place of `spool-render` that does its job correctly except for probes of certain paths, for which it
/// misbehaves. The process that uses it must go on as usual.
package struct MisbehavingRenderer: Sendable {
    /// The misbehaviours during a job. The probe's path ends with the name of one; probes of all other paths succeed.
    package enum Misbehavior: String, CaseIterable, Sendable {
        /// It sends a line that is no message.
        case noMessage
        /// It sends a message of an unknown kind.
        case unknownMessage
        /// It sends half a line and exits.
        case halfLine
        /// It sends an endless line.
        case endlessLine
        /// It exits with code 0 in the middle of the job.
        case earlyExit
        /// It answers an order that was not sent.
        case wrongOrder
        /// It closes standard output and keeps running.
        case closedOutput
        /// It closes standard output and standard error and keeps running.
        case closedPipes
        /// It exits and leaves a child process that holds its pipes open.
        case leftBehind
        /// It is killed.
        case killed
    }

    /// Results that must be rejected.
    package enum InvalidResult: String, CaseIterable, Sendable {
        /// A finished probe without source facts.
        case noFacts
        /// Source facts with a negative size.
        case impossibleFacts
    }

    /// Misbehaviours after the job, which itself has succeeded.
    package enum LateMisbehavior: String, CaseIterable, Sendable {
        /// It answers the same order twice.
        case secondAnswer
        /// It sends text after the answer.
        case textBehind
        /// It exits between two jobs.
        case exitBehind
        /// It never marks the end of its log.
        case openLog
        /// It sends a huge log in one line.
        case hugeLog
        /// It keeps running when its input ends.
        case stays
    }

    /// Failures that are not the job's fault, and their failure classes.
    package enum MachineFault: String, CaseIterable, Sendable {
        /// It is killed because it has used up its processor time.
        case outOfTime
        /// It reports that a file cannot be read.
        case unreadable

        /// The name of the failure class.
        package var failureClass: String { self == .outOfTime ? "resource" : "storage" }
    }

    /// The path for which it sends nothing and ignores all signals that can be ignored.
    package static let silence = "silence"

    /// The version of the renderer for which it reports another hash than that of the source's bytes.
    package static let otherHash = 987_654_321

    /// The beginning of the name of a file for which it makes an artifact with the key that follows.
    package static let making = "makes-"

    /// The program's file.
    package let executable: String

    /// Whether the program was ever started.
    package var hasStarted: Bool { FileManager.default.fileExists(atPath: executable + ".started") }

    /// Writes the program into a directory.
    package init(in directory: TemporaryDirectory) throws {
        executable = directory.file("lying-renderer")
        let script = Data(MisbehavingRenderer.script.utf8)
        guard
            FileManager.default.createFile(
                atPath: executable, contents: script, attributes: [.posixPermissions: 0o755])
        else { throw CocoaError(.fileWriteUnknown) }
    }

    private static let script = #"""
        #!/bin/bash
        trap '' TERM INT HUP
        : > "$0.started"
        answer() {
            path=${line##*\"path\":\"}
            hash=${path%%\"*}
            hash=${hash##*/}
            # An asset's file is named by its hash.
            [ ${#hash} = 64 ] || hash=$(printf '%064d' 0)
            printf '{"order":%s,"message":{"finished":{"result":{"cost":%s,"facts":%s}}}}\n' "$1" \
                '{"decode":0,"compose":0,"encode":0,"mix":0,"stitch":0}' \
                "{\"version\":\#(FactsVersion.current),\"contentHash\":\"$hash\",\"byteCount\":0,\"container\":\"srt\",\"origin\":0}"
        }
        forever() { while :; do sleep 1000; done; }
        # Makes the artifact whose key is in the path, as large as the key is long.
        make() {
            key=${line##*makes-}; key=${key%%\"*}
            store=${line##*\"store\":\"}; store=${store%%\"*}
            mkdir -p "$store/${key:0:2}"
            printf '%s' "$key" > "$store/${key:0:2}/$key"
            sum=$(sha256sum < "$store/${key:0:2}/$key")
            printf '%s %s\n' "${#key}" "${sum%% *}" > "$store/${key:0:2}/$key.sum"
        }
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
                *'"renderer":\#(otherHash)'*) printf '\036\n' >&2
                    answer "$number" | sed "s/\"contentHash\":\"[^\"]*\"/\"contentHash\":\"$(printf '%064d' 0)\"/"
                    continue ;;
                *silence*) forever ;;
                *outOfTime*) kill -XCPU $$ ;;
                *unreadable*) printf '\036\n' >&2
                    printf '{"order":%s,"message":{"failed":{"failure":{%s}}}}\n' "$number" \
                        '"failureClass":"storage","subject":"/elsewhere/unreadable","message":"cannot be read"'
                    continue ;;
            esac
            case "$line" in
                *makes-*) make; printf '\036\n' >&2; answer "$number" ;;
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
