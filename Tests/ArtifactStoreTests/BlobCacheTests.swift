import ArtifactStore
import ExportPlan
import TestSupport
import Testing
import FoundationEssentials
import Glibc

/// A cache of a store in a directory. Several caches of one directory behave as several processes do, because a lock belongs
/// to an open file.
@Suite("The cache of a store's blobs", .timeLimit(.minutes(2)))
struct BlobCacheTests {
    private let folder: TemporaryDirectory
    private let store: WatchedBlobs

    init() throws {
        folder = try TemporaryDirectory()
        let directory = FarmDirectory(folder.file("store"))
        try directory.marker.create()
        store = WatchedBlobs(DirectoryBlobs(directory))
    }

    private func cache(limit: Int64 = 1 << 40, grace: Duration = .zero) throws -> BlobCache {
        try BlobCache(store, directory: folder.file("cache"), limit: limit, grace: grace)
    }

    private func name(_ text: String) throws -> BlobName { try #require(BlobName(text)) }

    /// Stores a blob of so many bytes.
    private func put(_ text: String, bytes: Int = 1000) async throws -> BlobName {
        let path = folder.file("source")
        try Data(repeating: UInt8(text.utf8.count), count: bytes).write(to: URL(fileURLWithPath: path))
        let name = try name(text)
        #expect(try await store.upload(path, as: name, UploadOptions()))
        return name
    }

    private func isThere(_ text: String) -> Bool { access(folder.file("cache/\(text)"), F_OK) == 0 }

    /// Reduces a cache until a file is gone. While another test starts a process, that process has the locks of this one for a
    /// moment, and files with locks are passed over.
    private func reduce(_ cache: BlobCache, untilGone text: String) async throws {
        while isThere(text) {
            try await cache.reduce()
            try Task.checkCancellation()
        }
    }

    /// Makes a file look as if it was last used some hours ago.
    private func age(_ text: String, hours: Int) {
        let time = timeval(tv_sec: Int(Date().timeIntervalSince1970) - hours * 3600, tv_usec: 0)
        utimes(folder.file("cache/\(text)"), [time, time])
    }

    /// The names of files that were left where blobs are fetched to.
    private func leftovers() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.file("cache/.incoming"))
    }

    // MARK: Fetching

    @Test("A blob is fetched once, however many tasks and processes ask for it at the same time")
    func once() async throws {
        let blob = try await put("tenants/1/ab/abcdef", bytes: 3 << 20)
        let caches = [try cache(), try cache(), try cache()]
        try await withThrowingTaskGroup(of: Int64?.self) { group in
            for number in 0..<60 { group.addTask { try await caches[number % 3].file(blob)?.byteCount } }
            for try await byteCount in group { #expect(byteCount == 3 << 20) }
        }
        #expect(store.downloads == 1)
        #expect(try leftovers().isEmpty)
        let file = try #require(try await caches[0].present(blob))
        #expect(file.path == folder.file("cache/tenants/1/ab/abcdef"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: file.path)) == Data(repeating: 19, count: 3 << 20))
    }

    @Test("A blob that the store does not have is asked for each time, because it may come")
    func absent() async throws {
        let cache = try cache()
        #expect(try await cache.file(try name("a/b")) == nil)
        let blob = try await put("a/b")
        #expect(try await cache.file(blob)?.byteCount == 1000)
    }

    @Test("A fault of the store is passed on, leaves nothing, and the next call fetches the blob")
    func faults() async throws {
        let cache = try cache()
        let blob = try await put("a/b")
        store.fail(with: BlobError(.unavailable, subject: "the store", message: "does not answer"))
        let error = await #expect(throws: BlobError.self) { try await cache.file(blob) }
        #expect(error?.code == .unavailable)
        #expect(!isThere("a/b"))
        #expect(try leftovers().isEmpty)
        #expect(try await cache.file(blob) != nil)
    }

    @Test("Bytes that have not the hash they must have are no blob")
    func damaged() async throws {
        let blob = try await put("a/b")
        let error = await #expect(throws: BlobError.self) {
            try await cache().file(blob, sha256: String(repeating: "0", count: 64))
        }
        #expect(error?.code == .damaged)
        #expect(!isThere("a/b"))
        #expect(try leftovers().isEmpty)
    }

    @Test("A caller that is cancelled takes the blob from nobody else")
    func cancelled() async throws {
        let cache = try cache()
        let blob = try await put("a/b", bytes: 4 << 20)
        let first = Task { try await cache.file(blob)?.byteCount }
        let second = Task { try await cache.file(blob)?.byteCount }
        first.cancel()
        #expect(try await second.value == 4 << 20)
    }

    @Test("What processes left behind that are gone is removed when the next one begins")
    func leftBehind() async throws {
        _ = try cache()
        // A process that was awaited has an id that no process has any more.
        let gone = try await ShellTool.run("echo $$").output.filter(\.isNumber)
        let host = ScratchFile.name().split(separator: "-")[1]
        for name in ["\(gone)-\(host)-1", "\(getpid())-\(host)-2"] {
            try Data([1]).write(to: URL(fileURLWithPath: folder.file("cache/.incoming/\(name)")))
        }
        _ = try cache()
        #expect(try leftovers() == ["\(getpid())-\(host)-2"])
    }

    @Test("A cache that cannot be made is refused with its place")
    func misplaced() throws {
        try Data("a file".utf8).write(to: URL(fileURLWithPath: folder.file("cache")))
        let error = #expect(throws: BlobError.self) { _ = try cache() }
        #expect(error?.code == .cannotWrite)
        #expect(error?.description == "'\(folder.file("cache"))/.incoming' cannot be made: Not a directory")
    }

    @Test("A file whose path is too long for the system cannot be read")
    func unreadable() async throws {
        // The system takes at most 4095 bytes.
        let part = String(repeating: "d", count: 220)
        let long = folder.file(Array(repeating: part, count: 16).joined(separator: "/"))
        let cache = try BlobCache(store, directory: long, limit: 1 << 40)
        let blob = try name(Array(repeating: part, count: 3).joined(separator: "/"))
        let error = await #expect(throws: BlobError.self) { try await cache.present(blob) }
        #expect(error?.code == .cannotRead)
        #expect(error?.description == "'\(cache.path(of: blob))' cannot be read in the cache: File name too long")
    }

    // MARK: The limit

    @Test("Above the limit the longest unused files go, and a file that is read again is not one of them")
    func longestUnused() async throws {
        let cache = try cache(limit: 3500)
        for (number, text) in ["a/1", "a/2", "b/3"].enumerated() {
            _ = try await cache.file(try await put(text))
            age(text, hours: 9 - number)
        }
        _ = try await cache.file(try name("a/1"))
        _ = try await cache.file(try await put("c/4"))
        try await reduce(cache, untilGone: "a/2")
        #expect(isThere("a/1") && isThere("b/3") && isThere("c/4"))
    }

    @Test("Files that any process uses stay, whatever the limit, until they are no longer used")
    func inUse() async throws {
        let (one, other) = (try cache(limit: 0), try cache(limit: 0))
        let blob = try await put("a/1")
        var file: CachedFile? = try await one.file(blob)
        age("a/1", hours: 5)
        #expect(try await other.reduce() == 0)
        _ = try await other.file(try await put("a/2"))
        #expect(isThere("a/1"))
        #expect(file?.byteCount == 1000)
        file = nil
        try await reduce(other, untilGone: "a/1")
        try await reduce(other, untilGone: "a/2")
    }

    @Test("Files that were used just now stay, because a job may be about to use them")
    func graceful() async throws {
        let cache = try cache(limit: 0, grace: .seconds(60))
        _ = try await cache.file(try await put("a/1"))
        #expect(try await cache.reduce() == 0 && isThere("a/1"))
        age("a/1", hours: 1)
        try await reduce(cache, untilGone: "a/1")
    }

    @Test("A file that is larger than the limit is there for as long as it is used")
    func larger() async throws {
        let cache = try cache(limit: 10)
        let blob = try await put("a/1", bytes: 100_000)
        let file = try await cache.file(blob)
        #expect(file?.byteCount == 100_000 && isThere("a/1"))
    }

    @Test("On a full disk everything that is not in use makes room")
    func full() async throws {
        let cache = try cache(grace: .seconds(600))
        let used = try await cache.file(try await put("a/used"))
        _ = try await cache.file(try await put("a/idle"))
        age("a/used", hours: 1)
        age("a/idle", hours: 1)
        let blob = try await put("a/new")
        store.fail(with: BlobError(.cannotWrite, subject: "the disk", message: "is full"))
        #expect(try await cache.file(blob) != nil)
        #expect(isThere("a/used") && !isThere("a/idle"))
        // Where nothing makes room, the fault is passed on.
        let last = try await put("a/last")
        let kept = try await cache.file(blob)
        store.fail(with: BlobError(.cannotWrite, subject: "the disk", message: "is full"))
        let error = await #expect(throws: BlobError.self) { try await cache.file(last) }
        #expect(error?.code == .cannotWrite)
        withExtendedLifetime((used, kept)) {}
    }

    @Test("Nothing outside the cache is removed, and links, pipes and hidden files are left alone")
    func hostile() async throws {
        let cache = try cache(limit: 0)
        let outside = folder.file("outside")
        try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
        try Data([1]).write(to: URL(fileURLWithPath: outside + "/precious"))
        _ = try await cache.file(try await put("a/1"))
        symlink(outside, folder.file("cache/linked"))
        symlink(outside + "/precious", folder.file("cache/a/link"))
        mkfifo(folder.file("cache/a/pipe"), 0o666)
        try Data([1]).write(to: URL(fileURLWithPath: folder.file("cache/.spool-store")))
        let unfinished = folder.file("cache/tenants/1/tmp")
        try FileManager.default.createDirectory(atPath: unfinished, withIntermediateDirectories: true)
        try Data([1]).write(to: URL(fileURLWithPath: unfinished + "/rendering"))
        for text in ["a/1", "a/link", ".spool-store", "tenants/1/tmp/rendering"] { age(text, hours: 3) }
        try await reduce(cache, untilGone: "a/1")
        #expect(isThere("tenants/1/tmp/rendering"), "a rendering process writes it")
        #expect(isThere("a/link") && isThere("a/pipe") && isThere(".spool-store") && isThere("linked/precious"))
        // What stands in the place of a blob is none.
        let replaced = try await put("a/pipe")
        #expect(try await cache.present(replaced) == nil)
        #expect(try await cache.file(replaced)?.byteCount == 1000)
    }
}
