import ArtifactStore
import TestSupport
import Testing
import FoundationEssentials
import Glibc

@Suite("Stored files")
struct StoredFilesTests {
    private let directory: TemporaryDirectory
    private let files: StoredFiles
    private let name = String(repeating: "ab12", count: 16)

    init() throws {
        directory = try TemporaryDirectory()
        let store = directory.file("store")
        for folder in ["/ab", "/tmp"] {
            try FileManager.default.createDirectory(atPath: store + folder, withIntermediateDirectories: true)
        }
        files = .artifacts(in: store)
    }

    private var path: String { "\(files.directory)/ab/\(name)" }

    private func write(_ path: String, age: Int = 7200) throws {
        try Data("bytes".utf8).write(to: URL(fileURLWithPath: path))
        let time = timeval(tv_sec: Int(Date().timeIntervalSince1970) - age, tv_usec: 0)
        utimes(path, [time, time])
    }

    @Test("A file, its checksum and a film's note beside it are listed as one and removed together")
    func removed() throws {
        for end in ["", ".sum", ".film"] { try write(path + end) }
        let listing = try files.list()
        #expect(listing.files.map(\.name) == [name] && listing.files.first?.byteCount == 15 && listing.foreignCount == 0)
        #expect(files.remove(name) == .removed)
        #expect(try files.list().files.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: files.directory + "/ab").isEmpty)
        #expect(files.remove(name) == .removed, "what is gone counts as removed")
        #expect(try FileManager.default.contentsOfDirectory(atPath: files.directory + "/tmp").isEmpty)
    }

    @Test("A file that was looked up stays in its place")
    func lookedUp() throws {
        try write(path)
        StoredFiles.noteUse(of: path)
        #expect(files.remove(name) == .inUse)
        #expect(try files.list().files.map(\.name) == [name])
    }

    @Test("Links, pipes and strange names are counted and never touched")
    func hostile() throws {
        let outside = directory.file("outside")
        try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
        let other = "cd" + String(repeating: "0", count: 62)
        try write("\(outside)/\(other)")
        try write("\(outside)/victim")
        #expect(symlink(outside, "\(files.directory)/cd") == 0)
        #expect(symlink("\(outside)/victim", path) == 0)
        let pipe = "ab" + String(repeating: "1", count: 62)
        #expect(mkfifo("\(files.directory)/ab/\(pipe)", 0o600) == 0)
        for strange in ["ab/..x", "ab/\(other)", "ab/AB" + name.dropFirst(2), "zz\n", "ab/\(name).sum.sum"] {
            try write("\(files.directory)/\(strange)")
        }
        let listing = try files.list()
        #expect(listing.files.isEmpty && listing.foreignCount == 8)
        for name in [name, pipe, other, "../../outside/victim", "victim", ""] {
            if case .removed = files.remove(name) { Issue.record("'\(name)' must not be removed") }
        }
        #expect(files.remove("victim") == .failed("'victim' is not the name of a stored file"))
        #expect(files.remove(other) == .failed("'\(files.directory)/cd/\(other)' cannot be removed: Not a directory"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside).sorted() == [other, "victim"].sorted())
    }

    @Test("A store that is not there has no files, and one that cannot be read is an error")
    func absent() throws {
        #expect(try StoredFiles.artifacts(in: directory.file("nowhere")).list().files.isEmpty)
        try write(directory.file("file"))
        #expect(throws: ArtifactError.self) { try StoredFiles.artifacts(in: directory.file("file")).list() }
    }
}
