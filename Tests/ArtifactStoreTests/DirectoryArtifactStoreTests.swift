import ArtifactStore
import ExportPlan
import TestSupport
import Testing
import FoundationEssentials
import Glibc

@Suite("DirectoryArtifactStore")
struct DirectoryArtifactStoreTests {
    private let directory: TemporaryDirectory
    private let store: DirectoryArtifactStore
    private let key = ArtifactKey(String(repeating: "ab12", count: 16))
    private let bytes = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    init() throws {
        directory = try TemporaryDirectory()
        store = try DirectoryArtifactStore(directory: directory.file("store"))
    }

    @Test("An artifact is found complete under its key and under no other")
    func putAndGet() throws {
        #expect(try store.localFile(for: key) == nil)
        let temporary = try put(bytes, key)
        let found = try #require(try store.localFile(for: key))
        #expect(FileManager.default.contents(atPath: found) == bytes)
        #expect(!FileManager.default.fileExists(atPath: temporary))
        #expect(try store.localFile(for: ArtifactKey(String(repeating: "ab13", count: 16))) == nil)
    }

    @Test(
        "A pipe or a link in the place of an artifact or checksum is refused at once", .timeLimit(.minutes(1)))
    func notAFile() throws {
        for suffix in ["", ".sum"] {
            for isLink in [false, true] {
                try put(bytes, key)
                let path = try #require(try store.localFile(for: key))
                try FileManager.default.removeItem(atPath: path + suffix)
                if isLink {
                    try bytes.write(to: URL(fileURLWithPath: directory.file("elsewhere")))
                    try FileManager.default.createSymbolicLink(
                        atPath: path + suffix, withDestinationPath: directory.file("elsewhere"))
                } else {
                    #expect(mkfifo(path + suffix, 0o600) == 0)
                }
                #expect(try store.localFile(for: key) == nil)
                #expect(try !store.has(key))
                try put(bytes, key)
                #expect(try store.localFile(for: key) == path, "it is made anew")
            }
        }
    }

    @Test("The recorded hash and size are known without reading the artifact, and only while it has that size")
    func recorded() throws {
        #expect(try store.recordedSum(of: key) == nil)
        try put(bytes, key)
        let sum = try #require(try store.recordedSum(of: key))
        #expect(sum.byteCount == 100_000 && sum.hash.utf8.count == 64)
        let path = try #require(try store.localFile(for: key))
        var changed = bytes
        changed[0] ^= 1
        try changed.write(to: URL(fileURLWithPath: path))
        #expect(try store.recordedSum(of: key)?.hash == sum.hash)
        try Data([1]).write(to: URL(fileURLWithPath: path))
        #expect(try store.recordedSum(of: key) == nil)
        try put(bytes, key)
        try FileManager.default.removeItem(atPath: path)
        #expect(try store.recordedSum(of: key) == nil)
    }

    @Test("An artifact may be empty")
    func empty() throws {
        try put(Data(), key)
        let found = try #require(try store.localFile(for: key))
        #expect(FileManager.default.contents(atPath: found) == Data())
    }

    @Test("A second store on the same directory finds the first one's artifacts")
    func reopened() throws {
        try put(bytes, key)
        let again = try DirectoryArtifactStore(directory: store.directory)
        #expect(try again.localFile(for: key) != nil)
    }

    @Test("Storing an artifact twice does not change it")
    func secondPut() throws {
        try put(bytes, key)
        let second = try put(bytes, key)
        let found = try #require(try store.localFile(for: key))
        #expect(FileManager.default.contents(atPath: found) == bytes)
        #expect(!FileManager.default.fileExists(atPath: second))
        #expect(try FileManager.default.contentsOfDirectory(atPath: store.directory + "/tmp").isEmpty)
    }

    @Test("A damaged artifact is removed and can be made again", arguments: Damage.allCases)
    func damaged(damage: Damage) throws {
        try put(bytes, key)
        let path = try #require(try store.localFile(for: key))
        try damage.apply(to: path, bytes)
        #expect(try store.localFile(for: key) == nil)
        // The file is removed and not only ignored, so that nobody who lists the directory sees an unusable file.
        #expect(!FileManager.default.fileExists(atPath: path) || damage == .missingSum)
        try put(bytes, key)
        let again = try #require(try store.localFile(for: key))
        #expect(FileManager.default.contents(atPath: again) == bytes)
    }

    @Test("Temporary files have unique names inside the store and do not exist yet")
    func temporaryNames() throws {
        let names = try (0..<100).map { _ in try store.temporaryFile(for: key) }
        #expect(Set(names).count == 100)
        #expect(names.allSatisfy { $0.hasPrefix(store.directory + "/") && !FileManager.default.fileExists(atPath: $0) })
    }

    @Test("Opening a store removes temporary files of dead processes of this host only")
    func leftovers() throws {
        let living = try store.temporaryFile(for: key)
        let name = living.split(separator: "/").last.map(String.init) ?? ""
        var parts = name.split(separator: "-").map(String.init)
        // No process has this number, because the kernel's greatest process id is 2^22.
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

    @Test("A directory that cannot be created is a storage error that names it")
    func unwritable() throws {
        // A file takes the folder's place, which stops users with any rights, including root.
        try Data().write(to: URL(fileURLWithPath: directory.file("occupied")))
        let place = directory.file("occupied/store")
        let error = #expect(throws: ArtifactError.self) { try DirectoryArtifactStore(directory: place) }
        #expect(error?.code == .cannotWrite)
        #expect(error?.subject == place)
        #expect(error?.failureClass == .storage)
    }

    @Test("Storing an artifact that cannot be written fails, and its key stays empty")
    func cannotPut() throws {
        let other = ArtifactKey(String(repeating: "cd", count: 32))
        #expect(throws: ArtifactError.self) { try store.put(directory.file("nothing-here"), for: other) }
        #expect(try store.localFile(for: other) == nil)
        // A file takes the place of the key's folder.
        try Data().write(to: URL(fileURLWithPath: store.directory + "/ab"))
        let error = #expect(throws: ArtifactError.self) { try put(bytes, key) }
        #expect(error?.code == .cannotWrite)
        #expect(try store.localFile(for: key) == nil)
    }

    /// - Returns: the temporary path to which the bytes were written.
    @discardableResult
    private func put(_ bytes: Data, _ key: ArtifactKey) throws -> String {
        let file = try store.temporaryFile(for: key)
        try bytes.write(to: URL(fileURLWithPath: file))
        try store.put(file, for: key)
        return file
    }
}

/// How an artifact is damaged on disk.
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
