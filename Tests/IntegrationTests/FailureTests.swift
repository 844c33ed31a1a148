import ExactTime
import Testing
import TestSupport
import FoundationEssentials

/// Bad input ends with exit code 65, a message that names the place and the file, and no film.
@Suite struct FailureTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// The members of the draft's only clip, or of the whole draft when it starts with a brace.
        var clip: String
        /// Texts that the message must contain.
        var words: [String]
    }

    static let cases = [
        Case(
            testDescription: "a missing source", clip: #""url": "gone.mp4""#,
            words: ["mainTrackClips[0].url", "gone.mp4", "does not exist"]),
        Case(
            testDescription: "a cut MP4 without its moov", clip: #""url": "cut.mp4""#,
            words: ["mainTrackClips[0].url", "cut.mp4", "cut short"]),
        Case(
            testDescription: "a text file named .mp4", clip: #""url": "text.mp4""#,
            words: ["mainTrackClips[0].url", "text.mp4", "is not a video"]),
        Case(
            testDescription: "an empty file", clip: #""url": "empty.mp4""#,
            words: ["mainTrackClips[0].url", "empty.mp4", "is empty"]),
        Case(
            testDescription: "a start behind the source's end",
            clip: #""url": "good.mp4", "timeRange": {"start": 9, "duration": 1}"#,
            words: ["mainTrackClips[0].timeRange.start", "good.mp4", "9 s", "only 1 s"]),
        Case(
            testDescription: "an unknown field", clip: #""url": "good.mp4", "volumen": 1"#,
            words: ["mainTrackClips[0].volumen", "not a known field", "'volume'"]),
        Case(
            testDescription: "speed 0", clip: #""url": "good.mp4", "speed": 0"#, words: ["mainTrackClips[0].speed", "1/10...16"]),
        Case(
            testDescription: "no clips", clip: #"{"version": 1, "mainTrackClips": []}"#,
            words: ["mainTrackClips", "at least one clip"]),
        Case(testDescription: "no JSON", clip: "{\"version\": 1,", words: ["not JSON"]),
        Case(
            testDescription: "a location of another kind", clip: #""url": "file:///etc/passwd""#,
            words: ["mainTrackClips[0].url", "is not a path"]),
    ]

    @Test("Bad input is reported with exit code 65 and leaves nothing", arguments: cases)
    func refused(_ test: Case) async throws {
        let directory = try TemporaryDirectory()
        let good = try SourceClips.numbered("good.mp4", in: directory, rate: FrameRate(25), frames: 25)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: good))
        // In good.mp4, moov comes first; without it only a file type box and frames are left.
        let moov = try #require(bytes.firstRange(of: Data("moov".utf8)))
        let mdat = try #require(bytes.firstRange(of: Data("mdat".utf8)))
        try (bytes[..<(moov.lowerBound - 4)] + bytes[(mdat.lowerBound - 4)...]).write(
            to: URL(fileURLWithPath: directory.file("cut.mp4")))
        try Data("This is no video.\n".utf8).write(to: URL(fileURLWithPath: directory.file("text.mp4")))
        try Data().write(to: URL(fileURLWithPath: directory.file("empty.mp4")))
        let draft =
            test.clip.hasPrefix("{") ? test.clip : #"{"version": 1, "mainTrackClips": [{"type": "av", \#(test.clip)}]}"#
        let path = directory.file("draft.json")
        try Data(draft.utf8).write(to: URL(fileURLWithPath: path))
        let outcome = try await SpoolTool.run([
            "export", path, "-o", directory.file("film.mp4"), "--cache", directory.file("cache"),
        ])
        #expect(outcome.status == 65)
        for word in test.words { #expect(outcome.errors.contains(word)) }
        let left = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(!left.contains { $0.contains("film") })
        // For a draft that cannot be read, no cache is created.
        let temporary = try? FileManager.default.contentsOfDirectory(atPath: directory.file("cache") + "/tmp")
        #expect(temporary ?? [] == [])
    }

    @Test("A film that does not fit on the disk is a clear error and leaves nothing")
    func fullDisk() async throws {
        let directory = try TemporaryDirectory()
        _ = try SourceClips.numbered("good.mp4", in: directory, rate: FrameRate(25), frames: 100)
        let draft = #"{"version": 1, "mainTrackClips": [{"type": "av", "url": "good.mp4"}]}"#
        try Data(draft.utf8).write(to: URL(fileURLWithPath: directory.file("draft.json")))
        // A file size limit replaces the full disk: writing stops in the middle of a file.
        let outcome = try await ShellTool.run(
            "ulimit -f 16; exec '\(SpoolTool.executable)' export '\(directory.file("draft.json"))' "
                + "-o '\(directory.file("film.mp4"))' --cache '\(directory.file("cache"))'")
        #expect(outcome.status == 75)
        #expect(outcome.errors.contains("cannot be"))
        #expect(!FileManager.default.fileExists(atPath: directory.file("film.mp4")))
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).allSatisfy { !$0.hasSuffix(".partial") })
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.file("cache") + "/tmp").isEmpty)
    }

    @Test(
        "An unknown command is reported with the most similar known one, and ends with 64",
        arguments: [
            (["exprot", "d.json"], "'spool' has no command 'exprot'; did you mean 'export'? 'spool --help' lists all"),
            (["job", "lst"], "'spool job' has no command 'lst'; did you mean 'ls'? 'spool job --help' lists all"),
            (["record", "apend", "x"], "'spool record' has no command 'apend'; did you mean 'append'?"),
            (["worker", "shw", "w"], "'spool worker' has no command 'shw'; did you mean 'show'?"),
            (["xyzzyxyzzy"], "'spool' has no command 'xyzzyxyzzy'; 'spool --help' lists all"),
        ])
    func mistyped(_ words: [String], _ message: String) async throws {
        let outcome = try await SpoolTool.run(words)
        #expect(outcome.status == 64)
        #expect(outcome.errors.hasPrefix("error: \(message)"), "\(outcome.errors)")
    }

    @Test(
        "A negative value reaches its option, whose error gives the range",
        arguments: [
            (["frame", "d.json", "-o", "f.png", "--time", "-1/2"], "'d.json' does not exist"),
            (["thumbnails", "d.json", "-o", "f.png", "--columns", "-3"], "--columns must be 1...100, not -3"),
            (["export", "d.json", "-o", "f.mp4", "--jobs", "-2"], "--jobs must be 1...256, not -2"),
            (["submit", "d.json", "--priority", "-101"], "--priority must be -100...100, not -101"),
            (["submit", "d.json", "--priority", "-5"], "no farm is named; set SPOOL_SERVER"),
            (["time", "d.json", "--apply", "-1..2"], "'d.json' does not exist"),
        ])
    func negative(_ words: [String], _ message: String) async throws {
        let directory = try TemporaryDirectory()
        let outcome = try await ShellTool.run(
            "cd '\(directory.path)'; env -u SPOOL_SERVER '\(SpoolTool.executable)' \(words.joined(separator: " "))")
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test(
        "Wrong words on the command line end with 64",
        arguments: [["export"], ["export", "d.json", "-o", "f.mp4", "--jobs", "0"], ["nonsense"]])
    func usage(_ arguments: [String]) async throws {
        #expect(try await SpoolTool.run(arguments).status == 64)
    }
}
