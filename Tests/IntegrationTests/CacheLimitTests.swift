import ExactTime
import TestSupport
import Testing
import FoundationEssentials
import Glibc

/// The cache of local commands stays within its limit, and films have the same bytes whatever it has.
@Suite("The size of the cache")
struct CacheLimitTests {
    /// The fields of `spool export --json` that the tests read.
    private struct Summary: Decodable {
        var rendered: Int
        var removedFromCache: Int64
    }

    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        _ = try SourceClips.numbered("beach.mp4", in: directory, rate: FrameRate(25), frames: 200)
        try write("first", #"{"type": "av", "url": "beach.mp4", "timeRange": {"start": 0, "duration": 4}}"#)
        try write("second", #"{"type": "av", "url": "beach.mp4", "timeRange": {"start": 4, "duration": 4}}"#)
    }

    private func write(_ draft: String, width: Int = 64, height: Int = 36, _ clip: String) throws {
        let text =
            #"{"version": 1, "videoSize": {"width": \#(width), "height": \#(height)}, "mainTrackClips": [\#(clip)]}"#
        try Data(text.utf8).write(to: URL(fileURLWithPath: directory.file("\(draft).json")))
    }

    private func words(_ draft: String, cache: String = "cache") -> [String] {
        [
            "export", directory.file("\(draft).json"), "-o", directory.file("\(draft).mp4"), "--cache", directory.file(cache),
            "--set", "encoderSpeed=ultrafast",
        ]
    }

    /// Exports a draft with `--json`, and requires that it says nothing of the cache on standard error.
    private func export(_ draft: String, cache: String = "cache", _ options: [String]) async throws -> Summary {
        let outcome = try await SpoolTool.run(words(draft, cache: cache) + ["--json"] + options)
        try #require(outcome.status == 0, "\(outcome.errors)")
        #expect(!outcome.errors.contains("removed"), "\(outcome.errors)")
        return try JSONDecoder().decode(Summary.self, from: Data(outcome.output.utf8))
    }

    private func film(_ draft: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: directory.file("\(draft).mp4")))
    }

    /// The artifacts and their checksums in the cache with their sizes.
    private func artifacts() throws -> [String: Int] {
        var sizes: [String: Int] = [:]
        for folder in try FileManager.default.contentsOfDirectory(atPath: directory.file("cache")) where folder.count == 2 {
            for name in try FileManager.default.contentsOfDirectory(atPath: directory.file("cache/\(folder)")) {
                sizes[name] = try Data(contentsOf: URL(fileURLWithPath: directory.file("cache/\(folder)/\(name)"))).count
            }
        }
        return sizes
    }

    @Test("Is kept by removing what is longest unused when no other process uses the cache, and films stay the same")
    func limited() async throws {
        let plain = try await export("second", cache: "other", ["--cache-size", "never"])
        let reference = try film("second")
        #expect(plain.rendered > 0 && plain.removedFromCache == 0)
        #expect(try await export("first", ["--cache-size", "never"]).removedFromCache == 0)
        let ofFirst = Set(try artifacts().keys)

        let lock = open(directory.file("cache/.lock"), O_RDONLY | O_CLOEXEC)
        defer { close(lock) }
        try #require(flock(lock, LOCK_SH | LOCK_NB) == 0)
        let held = try await export("second", ["--cache-size", "1MB"])
        #expect(held.removedFromCache == 0 && held.rendered == plain.rendered)
        #expect(try film("second") == reference)
        let all = try artifacts()
        #expect(ofFirst.isSubset(of: all.keys), "nothing went while the lock was held")
        try #require(all.values.reduce(0, +) > 1_000_000)
        flock(lock, LOCK_UN)

        let outcome = try await SpoolTool.run(words("second") + ["--cache-size", "1MB"])
        try #require(outcome.status == 0, "\(outcome.errors)")
        #expect(try film("second") == reference)
        let left = try artifacts()
        #expect(left.values.reduce(0, +) <= 1_000_000)
        #expect(
            outcome.errors.hasSuffix(" of the longest unused segments from the cache, see --cache-size\n"), "\(outcome.errors)")
        let ofSecond = Set(all.keys).subtracting(ofFirst)
        #expect(
            ofFirst.isDisjoint(with: left.keys) || ofSecond.isSubset(of: left.keys), "the export's own artifacts go last")

        let emptied = try await export("second", ["--cache-size", "0MB"])
        #expect(emptied.removedFromCache > 0)
        #expect(try artifacts() == [:])
        #expect(try film("second") == reference)
        let again = try await export("second", ["--cache-size", "never"])
        #expect(again.rendered == plain.rendered)
        #expect(try film("second") == reference)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.file("cache/tmp")) == [])
    }

    @Test("Is kept after an export that failed, too")
    func failed() async throws {
        let storage = try await FaultyStorage(in: directory.path)
        let faults = storage.environment(.full, on: .write, ofFiles: "\(directory.path)|.first.mp4.")
        let environment = faults.sorted { $0.key < $1.key }.map { "\($0)='\($1)'" }.joined(separator: " ")
        let line = words("first").map { "'\($0)'" }.joined(separator: " ")
        let kept = try await ShellTool.run("\(environment) '\(SpoolTool.executable)' \(line) --cache-size never")
        #expect(kept.status == 75)
        #expect(try !artifacts().isEmpty)
        let outcome = try await ShellTool.run("\(environment) '\(SpoolTool.executable)' \(line) --cache-size 0MB")
        #expect(outcome.status == 75)
        #expect(outcome.errors.contains("removed "), "\(outcome.errors)")
        #expect(try artifacts() == [:])
    }

    @Test("Is set by the environment where the command line does not, also for the cache of a waveform")
    func environment() async throws {
        let line = words("first").map { "'\($0)'" }.joined(separator: " ")
        let kept = try await ShellTool.run("SPOOL_CACHE_SIZE=0MB '\(SpoolTool.executable)' \(line) --cache-size never")
        #expect(kept.status == 0, "\(kept.errors)")
        #expect(try !artifacts().isEmpty)
        let waveform = try await ShellTool.run(
            "SPOOL_CACHE_SIZE=0MB '\(SpoolTool.executable)' waveform '\(directory.file("first.json"))' "
                + "-o '\(directory.file("first.png"))' --cache '\(directory.file("cache"))'")
        #expect(waveform.status == 0 && waveform.errors.contains("removed "), "\(waveform.errors)")
        #expect(try artifacts() == [:])
    }

    @Test("Is a usage error where it cannot be read", arguments: ["5", "5 GB", "1gb", "1.5GB", "many"])
    func faulty(_ size: String) async throws {
        let flag = try await SpoolTool.run(words("first") + ["--cache-size", size])
        #expect(flag.status == 64)
        #expect(flag.errors.contains("--cache-size must be a whole number and MB, GB or TB"), "\(flag.errors)")
        let line = words("first").map { "'\($0)'" }.joined(separator: " ")
        let variable = try await ShellTool.run("SPOOL_CACHE_SIZE='\(size)' '\(SpoolTool.executable)' \(line)")
        #expect(variable.status == 64)
        #expect(
            variable.errors.hasPrefix("error: SPOOL_CACHE_SIZE must be a whole number and MB, GB or TB"), "\(variable.errors)")
        #expect(!FileManager.default.fileExists(atPath: directory.file("cache")))
    }

    @Test("A running export holds the cache's lock, its rendering processes do not, and a killed one leaves it free")
    func killed() async throws {
        let clips = #"{"type": "av", "url": "beach.mp4"}, {"type": "av", "url": "beach.mp4", "speed": 0.9}"#
        try write("slow", width: 1280, height: 720, clips)
        let lock = directory.file("cache/.lock")
        let outcome = try await ShellTool.run(
            """
            '\(SpoolTool.executable)' export '\(directory.file("slow.json"))' -o '\(directory.file("slow.mp4"))' \
              --cache '\(directory.file("cache"))' --jobs 2 --set encoderSpeed=veryslow & export=$!
            until ls '\(directory.file("cache"))/tmp' 2> /dev/null | grep -q .; do
              kill -0 $export || exit 99
              read -t 0.05 < <(:) || true
            done
            flock --nonblock '\(lock)' true || echo held
            # Stopped first: it may start another process after the list was taken.
            kill -STOP $export
            children=$(pgrep -P $export)
            for child in $children; do ls -l /proc/$child/fd 2> /dev/null | grep -F /cache/.lock; done
            kill -KILL $export
            wait $export
            flock --nonblock '\(lock)' true && echo free
            for child in $children; do timeout 20 tail --pid=$child -f /dev/null || echo "left: $child"; done
            """)
        #expect(outcome.output == "held\nfree\n", "\(outcome.errors)")
    }
}
