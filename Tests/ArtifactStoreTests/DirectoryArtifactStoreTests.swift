import ArtifactStore
import ExportPlan
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("Artifacts in a directory")
struct DirectoryArtifactStoreTests {
    private let directory: TemporaryDirectory
    private let store: DirectoryArtifactStore
    private let key = ArtifactKey(String(repeating: "ab12", count: 16))
    private let bytes = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    init() throws {
        directory = try TemporaryDirectory()
        store = try DirectoryArtifactStore(directory: directory.file("store"))
    }

    @Test("What was put under a key is found under it, whole, and under no other")
    func putAndGet() throws {
        #expect(try store.localFile(for: key) == nil)
        let temporary = try put(bytes, key)
        let found = try #require(try store.localFile(for: key))
        #expect(FileManager.default.contents(atPath: found) == bytes)
        #expect(!FileManager.default.fileExists(atPath: temporary))
        #expect(try store.localFile(for: ArtifactKey(String(repeating: "ab13", count: 16))) == nil)
    }

    @Test("An artifact without a byte is an artifact")
    func empty() throws {
        try put(Data(), key)
        let found = try #require(try store.localFile(for: key))
        #expect(FileManager.default.contents(atPath: found) == Data())
    }

    @Test("Another store on the same directory finds what the first has put there")
    func reopened() throws {
        try put(bytes, key)
        let again = try DirectoryArtifactStore(directory: store.directory)
        #expect(try again.localFile(for: key) != nil)
    }

    @Test("Put a second time, an artifact stays what it was")
    func secondPut() throws {
        try put(bytes, key)
        let second = try put(bytes, key)
        let found = try #require(try store.localFile(for: key))
        #expect(FileManager.default.contents(atPath: found) == bytes)
        #expect(!FileManager.default.fileExists(atPath: second))
        #expect(try FileManager.default.contentsOfDirectory(atPath: store.directory + "/tmp").isEmpty)
    }

    @Test("A damaged artifact is dropped and can be made again", arguments: Damage.allCases)
    func damaged(damage: Damage) throws {
        try put(bytes, key)
        let path = try #require(try store.localFile(for: key))
        try damage.apply(to: path, bytes)
        #expect(try store.localFile(for: key) == nil)
        // Dropped, not only hidden: whoever lists the directory sees nothing that cannot be used.
        #expect(!FileManager.default.fileExists(atPath: path) || damage == .missingSum)
        try put(bytes, key)
        let again = try #require(try store.localFile(for: key))
        #expect(FileManager.default.contents(atPath: again) == bytes)
    }

    @Test("Temporary files have names of their own, inside the store, and nothing under them yet")
    func temporaryNames() throws {
        let names = try (0..<100).map { _ in try store.temporaryFile(for: key) }
        #expect(Set(names).count == 100)
        #expect(names.allSatisfy { $0.hasPrefix(store.directory + "/") && !FileManager.default.fileExists(atPath: $0) })
    }

    @Test("What a dead process of this host left is removed when the store is opened; what others write is not")
    func leftovers() throws {
        let living = try store.temporaryFile(for: key)
        let name = living.split(separator: "/").last.map(String.init) ?? ""
        var parts = name.split(separator: "-").map(String.init)
        // No process has this number: the kernel's largest is 2^22.
        parts[0] = "\(Int32.max)"
        let dead = store.directory + "/tmp/" + parts.joined(separator: "-")
        parts[1] = "00000000"
        let elsewhere = store.directory + "/tmp/" + parts.joined(separator: "-")
        let foreign = store.directory + "/tmp/notes.txt"
        for file in [dead, living, elsewhere, foreign] { try Data("x".utf8).write(to: URL(fileURLWithPath: file)) }
        _ = try DirectoryArtifactStore(directory: store.directory)
        #expect(!FileManager.default.fileExists(atPath: dead))
        #expect(FileManager.default.fileExists(atPath: living))
        #expect(FileManager.default.fileExists(atPath: elsewhere))
        #expect(FileManager.default.fileExists(atPath: foreign))
    }

    @Test("A directory that cannot be made is an error that names it and may pass")
    func unwritable() throws {
        // A file where a folder should be: no user's rights get past it.
        try Data().write(to: URL(fileURLWithPath: directory.file("occupied")))
        let place = directory.file("occupied/store")
        let error = #expect(throws: ArtifactError.self) { try DirectoryArtifactStore(directory: place) }
        #expect(error?.code == .cannotWrite)
        #expect(error?.subject == place)
        #expect(error?.failureClass == .storage)
    }

    @Test("An artifact that cannot be put is an error, and the store has nothing under its key")
    func cannotPut() throws {
        let other = ArtifactKey(String(repeating: "cd", count: 32))
        #expect(throws: ArtifactError.self) { try store.put(directory.file("nothing-here"), for: other) }
        #expect(try store.localFile(for: other) == nil)
        // A file where the key's folder should be.
        try Data().write(to: URL(fileURLWithPath: store.directory + "/ab"))
        let error = #expect(throws: ArtifactError.self) { try put(bytes, key) }
        #expect(error?.code == .cannotWrite)
        #expect(try store.localFile(for: key) == nil)
    }

    /// - Returns: the temporary name that the bytes were written under.
    @discardableResult
    private func put(_ bytes: Data, _ key: ArtifactKey) throws -> String {
        let file = try store.temporaryFile(for: key)
        try bytes.write(to: URL(fileURLWithPath: file))
        try store.put(file, for: key)
        return file
    }
}

/// A way for an artifact to go bad on its disk.
enum Damage: CaseIterable {
    case flippedByte, truncated, emptied, longer, missingFile, missingSum, otherSum

    func apply(to path: String, _ bytes: Data) throws {
        var changed = bytes
        switch self {
        case .flippedByte: changed[bytes.count / 2] ^= 1
        case .truncated: changed.removeLast()
        case .emptied: changed = Data()
        case .longer: changed.append(0)
        case .missingFile: return try remove(path)
        case .missingSum: return try remove(path + ".sum")
        case .otherSum: return try Data("1 x\n".utf8).write(to: URL(fileURLWithPath: path + ".sum"))
        }
        try changed.write(to: URL(fileURLWithPath: path))
    }

    private func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: path) }
}
