import ArtifactStore
import ExportPlan
import Synchronization
import TestSupport
import Testing
import FoundationEssentials
import Glibc

@Suite("Files that survive a power cut")
struct DurableFilesTests {
    private let directory: TemporaryDirectory
    private var output: String { directory.file("film.mp4") }

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// The synced paths, in order, and whether the output had its name by then.
    private final class Syncs: Sendable {
        struct Sync: Equatable {
            var path: String
            var hasName: Bool
        }

        private let seen = Mutex<[Sync]>([])
        var all: [Sync] { seen.withLock { $0 } }

        /// - Parameter code: the result of syncing the path `failing`; it is 0 for all others.
        func files(_ output: String, failing: String = "", code: Int32 = 0) -> DurableFiles {
            DurableFiles { path in
                self.seen.withLock { $0.append(Sync(path: path, hasName: access(output, F_OK) == 0)) }
                return path == failing ? code : 0
            }
        }
    }

    @Test("A file is synced, then renamed, then its folder is synced", arguments: [true, false])
    func order(_ replacing: Bool) throws {
        let syncs = Syncs()
        let partial = PartialFile(of: output, files: syncs.files(output))
        try Data([1]).write(to: URL(fileURLWithPath: partial.path))
        try partial.complete(replacing: replacing)
        #expect(syncs.all == [.init(path: partial.path, hasName: false), .init(path: directory.path, hasName: true)])
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["film.mp4"])
    }

    @Test("A file that cannot be synced is not complete; a folder that cannot be read does not matter")
    func failures() throws {
        let partial = PartialFile(of: output)
        try Data([1]).write(to: URL(fileURLWithPath: partial.path))
        let failing = PartialFile(of: output, files: Syncs().files(output, failing: partial.path, code: EIO))
        #expect(throws: OutputCheck.Fault.self) { try failing.complete() }
        #expect(access(output, F_OK) != 0)
        let folder = PartialFile(of: output, files: Syncs().files(output, failing: directory.path, code: EIO))
        #expect(throws: OutputCheck.Fault.self) { try folder.complete() }
        try Data([1]).write(to: URL(fileURLWithPath: partial.path))
        try PartialFile(of: output, files: Syncs().files(output, failing: directory.path, code: EACCES)).complete()
    }

    @Test("A new folder's parent is synced")
    func folders() throws {
        let syncs = Syncs()
        let files = syncs.files(output)
        try files.makeFolder("\(directory.path)/a/b/c")
        #expect(syncs.all.map(\.path) == ["", "/a", "/a/b"].map { directory.path + $0 })
        try files.makeFolder("\(directory.path)/a/b")
        #expect(syncs.all.count == 3)
        try Data([1]).write(to: URL(fileURLWithPath: output))
        #expect(throws: DurableFiles.Failure("\(output)/a", ENOTDIR)) { try files.makeFolder("\(output)/a") }
    }

    @Test("An artifact is synced, then it and its checksum get their names, then their folder is synced")
    func artifact() throws {
        let key = ArtifactKey(String(repeating: "ab12", count: 16))
        let place = directory.file("store")
        let syncs = Syncs()
        // The checksum gets its name last.
        let store = try DirectoryArtifactStore(directory: place, files: syncs.files("\(place)/ab/\(key.text).sum"))
        let file = try store.temporaryFile(for: key)
        try Data([1]).write(to: URL(fileURLWithPath: file))
        try store.put(file, for: key)
        #expect(
            syncs.all == [
                .init(path: place, hasName: false), .init(path: file, hasName: false), .init(path: "\(place)/ab", hasName: true),
            ])
        let failing = try DirectoryArtifactStore(
            directory: place, files: Syncs().files(output, failing: "\(place)/ab", code: EIO))
        try Data([1]).write(to: URL(fileURLWithPath: file))
        #expect(throws: ArtifactError.self) { try failing.put(file, for: key) }
    }

    @Test("The system can sync files and folders, and reports missing ones")
    func system() throws {
        let files = DurableFiles()
        try Data([1]).write(to: URL(fileURLWithPath: directory.file("new")))
        try files.sync(directory.file("new"))
        try files.move(directory.file("new"), to: output)
        try files.sync(directory.path)
        #expect(throws: DurableFiles.Failure(directory.file("new"), ENOENT)) { try files.sync(directory.file("new")) }
        #expect(throws: DurableFiles.Failure(output, ENOENT)) { try files.move(directory.file("new"), to: output) }
    }
}
