import ArtifactStore
import ExportPlan
import TestSupport
import Testing
import FoundationEssentials
import Glibc

@Suite("The limit of a local cache")
struct LocalCacheTests {
    private let directory: TemporaryDirectory
    /// The cache's directory.
    private let place: String

    init() throws {
        directory = try TemporaryDirectory()
        place = directory.file("cache")
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    }

    private func cache(limit: Int64?) async throws -> LocalCache { try await LocalCache(directory: place, limit: limit) }

    private func key(_ digit: Character) -> ArtifactKey { ArtifactKey(String(repeating: digit, count: 64)) }

    private func path(_ digit: Character) -> String { "\(place)/\(digit)\(digit)/\(key(digit).text)" }

    /// Stores an artifact that was last used some hours ago.
    private func put(_ digit: Character, bytes: Int = 1000, hoursAgo: Int) throws {
        let store = try DirectoryArtifactStore(directory: place)
        let file = try store.temporaryFile(for: key(digit))
        try Data(repeating: 7, count: bytes).write(to: URL(fileURLWithPath: file))
        try store.put(file, for: key(digit))
        let time = timeval(tv_sec: Int(Date().timeIntervalSince1970) - hoursAgo * 3600, tv_usec: 0)
        utimes(path(digit), [time, time])
    }

    /// The first digits of the artifacts that are there, in order.
    private func left() throws -> String { String(try StoredFiles.artifacts(in: place).list().files.compactMap(\.name.first)) }

    private func byteCount() throws -> Int64 {
        try StoredFiles.artifacts(in: place).list().files.reduce(0) { $0 + $1.byteCount }
    }

    @Test("The longest unused artifacts go with their checksums until the others are within the limit")
    func order() async throws {
        try put("a", hoursAgo: 9)
        try put("b", hoursAgo: 5)
        try put("c", hoursAgo: 7)
        try put("d", hoursAgo: 3)
        #expect(try DirectoryArtifactStore(directory: place).localFile(for: key("a")) != nil, "it is used now")
        let all = try byteCount()
        let limit = all / 2
        #expect(try await cache(limit: nil).endUse() == 0)
        #expect(try await cache(limit: all).endUse() == 0, "the limit itself is allowed")
        #expect(try left() == "abcd")
        #expect(try await cache(limit: limit).endUse() == all - limit)
        #expect(try left() == "ad")
        for suffix in ["", ".sum"] { #expect(!FileManager.default.fileExists(atPath: path("b") + suffix)) }
        #expect(try byteCount() == limit)
        let store = try DirectoryArtifactStore(directory: place)
        #expect(try store.localFile(for: key("d")) == path("d"))
        #expect(try store.localFile(for: key("c")) == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place + "/tmp").isEmpty)
    }

    @Test("What was used just now goes, too, where it alone exceeds the limit")
    func newest() async throws {
        let cache = try await cache(limit: 0)
        try put("a", hoursAgo: 0)
        let all = try byteCount()
        #expect(cache.endUse() == all)
        #expect(try left() == "")
        try put("a", hoursAgo: 0)
        #expect(try DirectoryArtifactStore(directory: place).localFile(for: key("a")) != nil, "it can be made anew")
    }

    @Test("Nothing goes while the cache is in use, and the last use to end removes what is too much")
    func inUse() async throws {
        try put("a", hoursAgo: 9)
        let first = try await cache(limit: 0)
        let second = try await cache(limit: 0)
        #expect(first.endUse() == 0)
        #expect(try left() == "a")
        #expect(second.endUse() > 0)
        #expect(try left() == "")
    }

    @Test("A use waits for a removal, and stops waiting when it is cancelled", .timeLimit(.minutes(1)))
    func waiting() async throws {
        let lock = open("\(place)/\(CacheLock.fileName)", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(lock) }
        try #require(flock(lock, LOCK_EX | LOCK_NB) == 0)
        let cancelled = Task { [place] in try await LocalCache(directory: place, limit: nil) }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        let waiting = Task { [place] in try await LocalCache(directory: place, limit: nil) }
        // It has opened the lock's file once this process has a second descriptor of it.
        while try descriptors(of: "\(place)/\(CacheLock.fileName)") < 2 { try await nextLook() }
        #expect(!FileManager.default.fileExists(atPath: place + "/tmp"), "nothing is done before the lock is shared")
        flock(lock, LOCK_UN)
        #expect(try await waiting.value.store.directory == place)
    }

    /// How many open descriptors of this process refer to a file.
    private func descriptors(of path: String) throws -> Int {
        let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == resolved  // closed: nil
        }
    }

    @Test("A lock that is removed or replaced protects nothing, and the new one is taken")
    func replacedLock() async throws {
        try put("a", hoursAgo: 9)
        let old = try await cache(limit: 0)
        try FileManager.default.removeItem(atPath: "\(place)/\(CacheLock.fileName)")
        let new = try await cache(limit: 0)
        #expect(old.endUse() == 0, "others do not see the lock on the old file")
        #expect(try left() == "a")
        #expect(new.endUse() > 0)
    }

    /// What is in the place of the lock's file.
    enum Obstacle: CaseIterable {
        case link, danglingLink, pipe, directory
    }

    @Test("What is no file in the place of the lock is not opened, and nothing goes", arguments: Obstacle.allCases)
    func obstacle(_ obstacle: Obstacle) async throws {
        try put("a", hoursAgo: 9)
        let (lock, elsewhere) = ("\(place)/\(CacheLock.fileName)", directory.file("elsewhere"))
        switch obstacle {
        case .link:
            try Data("kept".utf8).write(to: URL(fileURLWithPath: elsewhere))
            #expect(symlink(elsewhere, lock) == 0)
        case .danglingLink: #expect(symlink(elsewhere, lock) == 0)
        case .pipe: #expect(mkfifo(lock, 0o600) == 0)
        case .directory: #expect(mkdir(lock, 0o700) == 0)
        }
        #expect(try await cache(limit: 0).endUse() == 0)
        #expect(try left() == "a")
        #expect(FileManager.default.fileExists(atPath: elsewhere) == (obstacle == .link))
    }

    @Test("A cache may lie behind a link, and links inside lead nowhere")
    func links() async throws {
        try put("a", hoursAgo: 9)
        let outside = directory.file("outside")
        try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
        for name in [key("b").text, "victim"] {
            try Data(repeating: 7, count: 1000).write(to: URL(fileURLWithPath: "\(outside)/\(name)"))
        }
        #expect(symlink(outside, place + "/bb") == 0)
        #expect(mkdir(place + "/cc", 0o700) == 0 && symlink(outside + "/victim", path("c")) == 0)
        let link = directory.file("link")
        #expect(symlink(place, link) == 0)
        #expect(try await LocalCache(directory: link, limit: 0).endUse() > 0)
        #expect(try left() == "")
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside).sorted() == [key("b").text, "victim"].sorted())
        #expect(try FileManager.default.contentsOfDirectory(atPath: place + "/cc") == [key("c").text])
    }

    @Test("What cannot be removed stays whole, is no error, and others go instead")
    func refused() async throws {
        try put("a", hoursAgo: 9)
        try put("b", hoursAgo: 5)
        guard geteuid() != 0 else { return print("not tested: root may write into every directory") }
        #expect(chmod(place + "/aa", 0o500) == 0)
        defer { chmod(place + "/aa", 0o700) }
        let all = try byteCount()
        #expect(try await cache(limit: all - 1).endUse() == all / 2)
        #expect(try left() == "a")
        #expect(try DirectoryArtifactStore(directory: place).localFile(for: key("a")) != nil)
    }

    @Test("Where files cannot move aside, everything stays")
    func noScratch() async throws {
        try put("a", hoursAgo: 9)
        let cache = try await cache(limit: 0)
        // A file takes the directory's place, which stops users with any rights, including root.
        try FileManager.default.removeItem(atPath: place + "/tmp")
        try Data().write(to: URL(fileURLWithPath: place + "/tmp"))
        #expect(cache.endUse() == 0)
        try FileManager.default.removeItem(atPath: place + "/tmp")
        #expect(try DirectoryArtifactStore(directory: place).localFile(for: key("a")) != nil)
    }

    @Test("An empty cache stays as it is, and other files neither count nor go")
    func others() async throws {
        #expect(try await cache(limit: 0).endUse() == 0)
        #expect(try StoredFiles.artifacts(in: place).list().foreignCount == 0, "the lock is no strange file")
        let names = ["facts/f", "plugins/f", "costs/f", "shots/f", "tmp/f", "notes.txt"].map { "\(place)/\($0)" }
        for name in names {
            let folder = URL(fileURLWithPath: name).deletingLastPathComponent().path
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data(repeating: 7, count: 5000).write(to: URL(fileURLWithPath: name))
        }
        try put("a", hoursAgo: 9)
        #expect(try await cache(limit: 2000).endUse() == 0)
        #expect(try left() == "a")
        #expect(try await cache(limit: 0).endUse() > 0)
        #expect(names.allSatisfy { FileManager.default.fileExists(atPath: $0) })
    }

    @Test("Artifacts of zero bytes count by their checksums, and go in their turn")
    func zeroBytes() async throws {
        try put("a", bytes: 0, hoursAgo: 9)
        try put("b", bytes: 0, hoursAgo: 7)
        try put("c", hoursAgo: 5)
        let all = try byteCount()
        #expect(try await cache(limit: all - 1).endUse() > 0)
        #expect(try left() == "bc")
        #expect(try await cache(limit: 0).endUse() > 0)
        #expect(try left() == "")
        // Without its checksum such a file has no bytes at all.
        try put("a", bytes: 0, hoursAgo: 9)
        try FileManager.default.removeItem(atPath: path("a") + ".sum")
        #expect(try await cache(limit: 0).endUse() == 0)
    }

    @Test("Halves that a killed removal leaves count as not there, and go with the next one", arguments: ["", ".sum"])
    func halves(_ missing: String) async throws {
        try put("a", hoursAgo: 9)
        // A removal moves the file aside, removes the checksum, and then the file.
        #expect(rename(path("a") + missing, directory.file("aside")) == 0)
        let store = try DirectoryArtifactStore(directory: place)
        #expect(try !store.has(key("a")))
        let half = try byteCount()
        #expect(half > 0)
        #expect(try await cache(limit: 0).endUse() == half)
        #expect(try store.localFile(for: key("a")) == nil)
        try put("a", hoursAgo: 9)
        #expect(try store.localFile(for: key("a")) == path("a"))
    }

    @Test("A removal ends when its task is cancelled")
    func cancelled() async throws {
        try put("a", hoursAgo: 9)
        let cache = try await cache(limit: 0)
        let removal = Task {
            while !Task.isCancelled { await Task.yield() }
            return cache.endUse()
        }
        removal.cancel()
        #expect(await removal.value == 0)
        #expect(try left() == "a")
    }

    @Test("Nothing goes from a tenant's artifacts in the store of a farm")
    func farm() async throws {
        let farm = FarmDirectory(directory.file("farm"))
        try farm.marker.create()
        let artifacts = farm.artifacts(ofTenant: 1)
        try put("a", hoursAgo: 9)
        try FileManager.default.createDirectory(atPath: farm.tenants, withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: place, toPath: artifacts)
        #expect(try await LocalCache(directory: artifacts, limit: 0).endUse() == 0)
        #expect(try StoredFiles.artifacts(in: artifacts).list().files.count == 1)
    }
}
