import ArtifactStore
import TestSupport
import Testing
import FoundationEssentials

@Suite("The place of an output")
struct OutputCheckTests {
    private let directory: TemporaryDirectory
    private let source: String

    init() throws {
        directory = try TemporaryDirectory()
        source = directory.file("beach.mp4")
        try Data("film".utf8).write(to: URL(fileURLWithPath: source))
    }

    private func fault(_ check: () throws -> Void) -> OutputCheck.Fault? {
        do {
            try check()
            return nil
        } catch { return error as? OutputCheck.Fault }
    }

    @Test(
        "An input is recognised under every name that leads to it",
        arguments: ["beach.mp4", "./beach.mp4", "folder/../beach.mp4", "symbolic.mp4", "hard.mp4", "linked/beach.mp4"])
    func names(_ name: String) throws {
        let files = FileManager.default
        try files.createDirectory(atPath: directory.file("folder"), withIntermediateDirectories: false)
        try files.createSymbolicLink(atPath: directory.file("symbolic.mp4"), withDestinationPath: "beach.mp4")
        try files.linkItem(atPath: source, toPath: directory.file("hard.mp4"))
        try files.createSymbolicLink(atPath: directory.file("linked"), withDestinationPath: directory.path)
        let input = OutputCheck.Input(place: "mainTrackClips[0].url", path: source)
        let fault = fault { try OutputCheck(directory.file(name)).check(against: [input]) }
        #expect(fault?.kind == .input)
        #expect(fault?.place == "mainTrackClips[0].url")
        #expect(fault?.remedy == "name another output")
        #expect(try String(contentsOfFile: source, encoding: .utf8) == "film")
    }

    @Test("Other files, even with equal bytes, and files that do not exist are not inputs")
    func others() throws {
        let copy = directory.file("copy.mp4")
        try FileManager.default.copyItem(atPath: source, toPath: copy)
        let inputs = [
            OutputCheck.Input(place: "a", path: source), OutputCheck.Input(place: "b", path: directory.file("gone.mp4")),
        ]
        for output in [copy, directory.file("new.mp4"), directory.file("gone.mp4")] {
            #expect(fault { try OutputCheck(output).check(against: inputs) } == nil)
        }
    }

    @Test("A place where a file can be created is accepted, and nothing is left there")
    func fine() throws {
        #expect(fault { try OutputCheck(directory.file("new.mp4")).checkPlace() } == nil)
        #expect(fault { try OutputCheck(source).checkPlace() } == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["beach.mp4"])
    }

    @Test(
        "A place where no file can be created is reported with the reason and the remedy",
        arguments: [
            ("none/film.mp4", "for 'none/film.mp4' does not exist", "mkdir -p"), (".", "is a directory", "name a file in it"),
            ("new/", "names a directory", "name a file in it"), ("beach.mp4/film.mp4", "is not a directory", "another place"),
            ("pipe", "is not a regular file", "another place"),
            (
                String(repeating: "x", count: 300), "cannot be created: File name too long",
                "name a place that this user may write to, or change its permissions"
            ),
            ("", "has no name", "name a file"),
        ])
    func faults(_ name: String, _ message: String, _ remedy: String) async throws {
        _ = try await ShellTool.run("mkfifo '\(directory.file("pipe"))'")
        let output = name.isEmpty ? "" : directory.file(name)
        let fault = fault { try OutputCheck(output).checkPlace() }
        #expect(fault?.kind == .place)
        #expect(fault?.message.replacing(directory.path + "/", with: "").contains(message) == true, "\(fault?.message ?? "")")
        #expect(fault?.remedy.contains(remedy) == true)
    }

    @Test("An existing file that must stay is refused before the work, and again when it appears meanwhile")
    func keepsExisting() throws {
        #expect(
            fault { try OutputCheck(source, keepsExisting: true).checkPlace() }?.message.hasSuffix("exists and is kept") == true)
        #expect(fault { try OutputCheck(directory.file("new"), keepsExisting: true).checkPlace() } == nil)
        let partial = PartialFile(of: source)
        try Data("other".utf8).write(to: URL(fileURLWithPath: partial.path))
        let late = try #require(fault { try partial.complete(replacing: false) })
        #expect(late.kind == .place)
        #expect(late.description == "'\(source)' exists and is kept; name another file, or leave --no-overwrite out")
        #expect(try String(contentsOfFile: source, encoding: .utf8) == "film")
        #expect(fault { try partial.complete() } == nil)
        #expect(try String(contentsOfFile: source, encoding: .utf8) == "other")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["beach.mp4"])
    }
}
