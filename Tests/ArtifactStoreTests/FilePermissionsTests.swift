import ArtifactStore
import TestSupport
import Testing
import FoundationEssentials
import Glibc

@Suite("A file that replaces another")
struct FilePermissionsTests {
    private let directory: TemporaryDirectory
    private var output: String { directory.file("draft.json") }

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func status(_ path: String) throws -> stat {
        var status = stat()
        try #require(stat(path, &status) == 0)
        return status
    }

    @Test("A new file has the old permissions from its first byte on", arguments: [0o600, 0o640, 0o664, 0o755, 0o444])
    func permissions(_ mode: mode_t) throws {
        try Data("old".utf8).write(to: URL(fileURLWithPath: output))
        try #require(chmod(output, mode) == 0)
        let partial = PartialFile(of: output)
        try partial.write(Data("new".utf8))
        #expect(try status(partial.path).st_mode & 0o777 & ~mode == 0)
        try partial.complete()
        #expect(try status(output).st_mode & 0o777 == mode)
        #expect(try String(contentsOfFile: output, encoding: .utf8) == "new")
    }

    @Test("A replacing file has the old owner and group when root writes it, also through a link")
    func owner() throws {
        guard geteuid() == 0 else { return }
        try Data("old".utf8).write(to: URL(fileURLWithPath: output))
        try #require(chmod(output, 0o640) == 0 && chown(output, 12, 34) == 0)
        try FileManager.default.createSymbolicLink(atPath: directory.file("link"), withDestinationPath: output)
        for name in [output, directory.file("link")] {
            let partial = PartialFile(of: name)
            try partial.write(Data("new".utf8))
            try partial.complete()
            let status = try status(name)
            #expect((status.st_uid, status.st_gid, status.st_mode & 0o777) == (12, 34, 0o640))
        }
    }

    @Test("A missing directory is a fault of the place, a full disk a temporary one")
    func faults() throws {
        let folder = directory.file("folder")
        let partial = PartialFile(of: "\(folder)/film.mp4")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try partial.write(Data("film".utf8))
        try FileManager.default.removeItem(atPath: folder)
        for write in [{ try partial.complete() }, { try partial.write(Data()) }, { try partial.complete(replacing: false) }] {
            let fault = #expect(throws: OutputCheck.Fault.self) { try write() }
            #expect(fault?.kind == .place)
            #expect(fault?.message == "'\(folder)/film.mp4' cannot be written: its directory no longer exists")
        }
        #expect(OutputCheck.Fault.unwritten("film.mp4", ENOSPC).kind == .writing)
        #expect(OutputCheck.Fault.unwritten("film.mp4", EROFS).kind == .place)
    }

    @Test("Hidden folders are removed when their processes are gone, and otherwise stay")
    func folders() throws {
        let own = "." + ScratchFile.name("sample-media")
        let host = try #require(own.split(separator: "-").dropFirst().first)
        let left = ".\(Int32.max)-\(host)-sample-media-7"
        for name in [own, left, ".\(Int32.max)-another-sample-media-7", ".hidden"] {
            try FileManager.default.createDirectory(atPath: directory.file(name), withIntermediateDirectories: false)
            try Data().write(to: URL(fileURLWithPath: directory.file("\(name)/film.mp4")))
        }
        ScratchFile.removeLeftoverFolders(in: directory.path)
        #expect(
            Set(try FileManager.default.contentsOfDirectory(atPath: directory.path)) == [
                own, ".\(Int32.max)-another-sample-media-7", ".hidden",
            ])
    }
}
