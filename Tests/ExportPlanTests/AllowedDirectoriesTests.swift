import ExportPlan
import TestSupport
import Testing
import FoundationEssentials

@Suite("Allowed directories")
struct AllowedDirectoriesTests {
    @Test(
        "A name lies inside a directory only below it, after '..' is resolved",
        arguments: [
            ("/media/a.mp4", true), ("/media/in/a.mp4", true), ("/media/in/../a.mp4", true), ("/media", false),
            ("/mediax/a.mp4", false), ("/media/../etc/passwd", false), ("/media/in/../../etc/passwd", false),
            ("/etc/passwd", false), ("media/a.mp4", false), ("a.mp4", false), ("", false),
        ])
    func names(_ path: String, _ isInside: Bool) {
        for directory in ["/media", "/media/", "/tmp/../media"] {
            #expect(AllowedDirectories([directory]).contain(name: path) == isInside)
        }
        #expect(AllowedDirectories(["/"]).contain(name: path) == path.hasPrefix("/"))
        #expect(!AllowedDirectories([]).contain(name: path))
        #expect(!AllowedDirectories(["media", ".", ""]).contain(name: path))
    }

    @Test("A file is found by its path after links, and only inside the directories")
    func links() throws {
        let files = FileManager.default
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let folder = AllowedDirectories.resolved(directory.path)
        for name in ["allowed", "secret"] {
            try files.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
            try Data("film".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)/film"))
        }
        for (link, target) in [("allowed/out", "secret"), ("allowed/film2", "secret/film"), ("alias", "allowed")] {
            try files.createSymbolicLink(atPath: "\(folder)/\(link)", withDestinationPath: "\(folder)/\(target)")
        }
        let allowed = AllowedDirectories(["\(folder)/missing", "\(folder)/alias"])
        let found = try #require(allowed.file(at: "\(folder)/alias/film"))
        #expect(found.path == "\(folder)/allowed/film" && found.directory == "\(folder)/alias")
        #expect(allowed.file(at: "\(folder)/allowed/film")?.path == "\(folder)/allowed/film")
        for path in ["allowed/out/film", "allowed/film2", "alias/../secret/film", "allowed", "secret/film"] {
            #expect(allowed.file(at: "\(folder)/\(path)") == nil, "\(path)")
        }
        #expect(allowed.file(at: "film") == nil)
        #expect(AllowedDirectories([]).file(at: "\(folder)/allowed/film") == nil)
    }
}
