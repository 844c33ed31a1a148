import ArtifactStore
import ContentHashing
import ExportPlan
import Foundation
import S3Store
import TestSupport
import Testing

/// A store of each kind, empty.
enum StoreKind: String, CaseIterable, CustomTestStringConvertible {
    case directory, s3
    /// A bucket whose requests somebody else signs.
    case signed

    var testDescription: String { rawValue }

    static var available: [StoreKind] {
        guard !MotoServer.isInstalled else { return allCases }
        print(MotoServer.absence)
        return [.directory]
    }

    /// A new store, whose directory is in a folder of the test.
    func make(in folder: TemporaryDirectory) async throws -> any BlobStore {
        switch self {
        case .directory:
            let directory = FarmDirectory(folder.file("store"))
            try directory.marker.create()
            return DirectoryBlobs(directory)
        case .s3: return try await MotoServer.shared().store()
        case .signed: return try await StoreKind.signing(for: MotoServer.shared().store())
        }
    }

    /// The same bucket for a client without keys.
    static func signing(for store: S3Blobs) async throws -> S3Blobs {
        try await MotoServer.shared().store(of: store, signer: OtherSigner(store: store))
    }
}

/// Signs with the keys of another client.
struct OtherSigner: S3Signer {
    let store: S3Blobs

    func address(of request: BlobRequest) async throws -> String {
        try #require(try await store.address(of: request, lifetime: .seconds(60)))
    }
}

/// What a store of blobs promises, on a directory and on a real S3 server.
@Suite("A store of blobs", .timeLimit(.minutes(2)))
struct BlobStoreConformance {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func name(_ text: String) throws -> BlobName { try #require(BlobName(text)) }

    private func file(_ bytes: [UInt8], _ name: String = "source") throws -> String {
        let path = folder.file(name)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func bytes(_ count: Int, seed: Int = 1) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: ($0 &+ seed) &* 2_654_435_761 >> 11) }
    }

    private func all(_ reader: BlobReader?) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await chunk in try #require(reader) {
            #expect(!chunk.isEmpty)
            bytes += chunk
        }
        return bytes
    }

    private func put(_ store: any BlobStore, _ text: String, _ bytes: [UInt8]) async throws {
        let upload = try await store.beginUpload(as: try name(text), UploadOptions())
        try await upload.write(bytes)
        #expect(try await upload.finish())
    }

    @Test(
        "A file is read back as it was, whole and in ranges, whatever its size",
        arguments: StoreKind.available, [0, 1, 1000, (5 << 20), (5 << 20) + 1, (11 << 20) + 7])
    func files(_ kind: StoreKind, _ count: Int) async throws {
        let store = try await kind.make(in: folder)
        let (bytes, blob) = (bytes(count), try name("tenants/1/ab/über & so+1 %"))
        #expect(try await store.info(of: blob) == nil)
        #expect(try await store.read(blob, range: nil) == nil)
        #expect(try await store.upload(try file(bytes), as: blob, UploadOptions()))
        let info = try #require(try await store.info(of: blob))
        #expect(info.byteCount == Int64(count))
        #expect(abs(info.storedAt.timeIntervalSinceNow) < 60)
        let reader = try await store.read(blob, range: nil)
        #expect(reader?.info == info)
        #expect(try await all(reader) == bytes)
        for range in [0..<1, 0..<0, 1..<900, 999..<5000, 5000..<6000, Int64(count) - 1..<Int64(count) + 5]
        where range.lowerBound >= 0 {
            let wanted = bytes[min(count, Int(range.lowerBound))..<min(count, Int(range.upperBound))]
            #expect(try await all(try await store.read(blob, range: range)) == Array(wanted), "\(range)")
        }
        let path = folder.file("copy")
        #expect(try await store.download(blob, to: path, sha256: ContentHash.of(bytes)) == info)
        #expect(FileManager.default.contents(atPath: path) == Data(bytes))
    }

    @Test("Bytes that come one after the other are one blob, which appears at the end", arguments: StoreKind.available)
    func streams(_ kind: StoreKind) async throws {
        let store = try await kind.make(in: folder)
        let (bytes, blob) = (bytes(12 << 20), try name("films/film"))
        let upload = try await store.beginUpload(as: blob, UploadOptions())
        for start in stride(from: 0, to: bytes.count, by: 1_000_001) {
            try await upload.write(Array(bytes[start..<min(start + 1_000_001, bytes.count)]))
        }
        #expect(try await store.info(of: blob) == nil)
        #expect(try await upload.finish())
        #expect(try await all(try await store.read(blob, range: nil)) == bytes)
        let late = await #expect(throws: BlobError.self) { try await upload.write([1]) }
        #expect(
            late?.message
                == (kind == .directory
                    ? "is written after its upload has ended" : "cannot be stored, because its upload has ended"))
    }

    @Test("An upload that has ended cannot be ended once more, and stores nothing", arguments: StoreKind.available, [3, 6 << 20])
    func endedTwice(_ kind: StoreKind, _ count: Int) async throws {
        let store = try await kind.make(in: folder)
        let blob = try name("a")
        let upload = try await store.beginUpload(as: blob, UploadOptions())
        try await upload.write(bytes(count))
        #expect(try await upload.finish())
        let version = try await store.info(of: blob)
        await #expect(throws: BlobError.self) { try await upload.finish() }
        await upload.abandon()
        await #expect(throws: BlobError.self) { try await upload.finish() }
        let dropped = try await store.beginUpload(as: blob, UploadOptions())
        await dropped.abandon()
        await #expect(throws: BlobError.self) { try await dropped.finish() }
        #expect(try await store.info(of: blob) == version)
    }

    @Test("A file that shares bytes with a blob is stored as it is", arguments: StoreKind.available)
    func sharedBytes(_ kind: StoreKind) async throws {
        let store = try await kind.make(in: folder)
        let (first, name, second) = (try name("tenants/1/aa/first"), try name("tenants/1/bb/second"), bytes(13 << 20))
        let changed = second[..<(6 << 20)] + [1, 2, 3] + second[(6 << 20)...]
        #expect(try await store.upload(try file(second), as: first, UploadOptions()))
        let version = try #require(try await store.info(of: first)).version
        let path = try file(Array(changed), "changed")
        let end = Int64(changed.count)
        let runs = [
            SharedBytes.Run(range: 0..<6 << 20, offset: 0),
            SharedBytes.Run(range: 6 << 20 + 3..<end, offset: 6 << 20),
        ]
        let behind = [SharedBytes.Run(range: 0..<6 << 20, offset: 100 << 20)]
        for shared in [
            SharedBytes(blob: first, version: version, runs: runs), SharedBytes(blob: first, version: "\"other\"", runs: runs),
            SharedBytes(blob: try self.name("tenants/1/cc/missing"), version: version, runs: runs),
            SharedBytes(blob: first, version: version, runs: behind),
        ] {
            #expect(try await store.upload(path, as: name, UploadOptions(shared: shared)))
            #expect(try await store.download(name, to: folder.file("copy"), sha256: ContentHash.of(changed)) != nil)
            try FileManager.default.removeItem(atPath: folder.file("copy"))
            try await store.remove([name])
        }
    }

    @Test("Names that look alike and have other bytes are other blobs", arguments: StoreKind.available)
    func lookalikes(_ kind: StoreKind) async throws {
        let store = try await kind.make(in: folder)
        let names = ["\u{FC}", "u\u{308}", "x/\u{301}y", "x/y\u{FFFE}"]
        for text in names { try await put(store, text, Array(text.utf8)) }
        #expect(Set(try names.map(name)).count == names.count)
        let listed = try await store.list("", after: nil, limit: 10).map { Array($0.name.text.utf8) }
        #expect(listed == names.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) })
        #expect(try await store.list("u", after: nil, limit: 10).count == 1)
        for text in names { #expect(try await all(try await store.read(try name(text), range: nil)) == Array(text.utf8)) }
    }

    @Test("An upload that is dropped leaves nothing behind", arguments: StoreKind.available, [10, 6 << 20])
    func droppedUpload(_ kind: StoreKind, _ count: Int) async throws {
        let store = try await kind.make(in: folder)
        let upload = try await store.beginUpload(as: try name("a"), UploadOptions())
        try await upload.write(bytes(count))
        await upload.abandon()
        #expect(try await store.list("", after: nil, limit: 10).isEmpty)
        let left = try await store.removeLeftovers(olderThan: .zero)
        #expect(left == 0)
    }

    @Test("An upload that never ended is removed as a leftover, and only when it is old", arguments: StoreKind.available)
    func leftovers(_ kind: StoreKind) async throws {
        let store = try await kind.make(in: folder)
        let upload = try await store.beginUpload(as: try name("a"), UploadOptions())
        try await upload.write(bytes(6 << 20))
        #expect(try await store.removeLeftovers(olderThan: .seconds(86400 * 365 * 50)) == 0)
        let left = try await store.removeLeftovers(olderThan: .zero)
        #expect(left == 1)
        let again = try await store.removeLeftovers(olderThan: .zero)
        #expect(again == 0)
    }

    @Test("A blob is replaced, or stays where that was asked", arguments: StoreKind.available)
    func replaced(_ kind: StoreKind) async throws {
        let store = try await kind.make(in: folder)
        let (one, other, blob) = (try file([1, 2], "one"), try file([3], "other"), try name("x/y"))
        #expect(try await store.upload(one, as: blob, UploadOptions(replaces: false)))
        let first = try await store.info(of: blob)
        #expect(try await !store.upload(other, as: blob, UploadOptions(replaces: false)))
        #expect(try await store.info(of: blob) == first)
        #expect(try await store.upload(other, as: blob, UploadOptions()))
        #expect(try await store.info(of: blob)?.version != first?.version)
        #expect(try await all(try await store.read(blob, range: nil)) == [3])
    }

    @Test("Large uploads are conditional, too", arguments: StoreKind.available)
    func largeReplaced(_ kind: StoreKind) async throws {
        let store = try await kind.make(in: folder)
        let (large, blob) = (try file(bytes(6 << 20)), try name("large"))
        #expect(try await store.upload(large, as: blob, UploadOptions(replaces: false)))
        #expect(try await !store.upload(large, as: blob, UploadOptions(replaces: false)))
        let left = try await store.removeLeftovers(olderThan: .zero)
        #expect(left == 0)
    }

    @Test("A copy has the same bytes, and a missing blob cannot be copied", arguments: StoreKind.available)
    func copies(_ kind: StoreKind) async throws {
        let store = try await kind.make(in: folder)
        try await put(store, "a b/ü", [1, 2, 3])
        #expect(try await store.copy(try name("a b/ü"), to: try name("c/d")))
        #expect(try await all(try await store.read(try name("c/d"), range: nil)) == [1, 2, 3])
        #expect(try await !store.copy(try name("none"), to: try name("e")))
    }

    @Test("Blobs are listed in the order of their names, page by page, by a prefix", arguments: StoreKind.available)
    func lists(_ kind: StoreKind) async throws {
        let store = try await kind.make(in: folder)
        let names = ["a.b", "a/b", "a/c/d", "a/c-d", "a0", "b/1", "ü/x", "B", "A+B %"]
        for text in names { try await put(store, text, Array(text.utf8)) }
        let sorted = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        var pages: [[String]] = []
        var last: BlobName?
        while case let page = try await store.list("", after: last, limit: 4), let end = page.last {
            pages.append(page.map(\.name.text))
            for listing in page { #expect(listing.info.byteCount == Int64(listing.name.text.utf8.count)) }
            last = end.name
        }
        #expect(pages.flatMap { $0 } == sorted)
        #expect(pages.map(\.count) == [4, 4, 1])
        #expect(try await store.list("a/c", after: nil, limit: 10).map(\.name.text) == ["a/c-d", "a/c/d"])
        #expect(try await store.list("a/", after: try name("a/b"), limit: 10).map(\.name.text) == ["a/c-d", "a/c/d"])
        #expect(try await store.list("none/", after: nil, limit: 10).isEmpty)
    }

    @Test("Removed blobs are gone, and missing ones are no error", arguments: StoreKind.available)
    func removes(_ kind: StoreKind) async throws {
        let store = try await kind.make(in: folder)
        for number in 0..<20 { try await put(store, "x/\(number)", [1]) }
        try await store.remove(try (0..<15).map { try name("x/\($0)") } + [try name("none"), try name("x/0/none")])
        #expect(try await store.list("x/", after: nil, limit: 100).count == 5)
    }

    @Test("Two uploads of one name at a time both succeed, and the blob is one of them", arguments: StoreKind.available)
    func races(_ kind: StoreKind) async throws {
        let store = try await kind.make(in: folder)
        let blob = try name("raced")
        let contents = [bytes(6 << 20, seed: 1), bytes(6 << 20, seed: 2)]
        let paths = try contents.enumerated().map { try file($1, "\($0)") }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for path in paths { group.addTask { try await store.upload(path, as: blob, UploadOptions()) } }
            for try await isStored in group { #expect(isStored) }
        }
        #expect(contents.contains(try await all(try await store.read(blob, range: nil))))
    }

    @Test("A download with another checksum is an error, and leaves no file", arguments: StoreKind.available)
    func checksums(_ kind: StoreKind) async throws {
        let store = try await kind.make(in: folder)
        try await put(store, "a", [1, 2, 3])
        let error = await #expect(throws: BlobError.self) {
            try await store.download(try self.name("a"), to: folder.file("copy"), sha256: ContentHash.of([1]))
        }
        #expect(error?.code == .damaged)
        #expect(error?.message == "is damaged: its bytes have not the checksum \(ContentHash.of([1]))")
        #expect(!FileManager.default.fileExists(atPath: folder.file("copy")))
        #expect(try await store.download(try name("none"), to: folder.file("copy"), sha256: nil) == nil)
        #expect(!FileManager.default.fileExists(atPath: folder.file("copy")))
        try Data([9]).write(to: URL(fileURLWithPath: folder.file("copy")))
        let taken = await #expect(throws: BlobError.self) {
            try await store.download(try self.name("a"), to: folder.file("copy"), sha256: nil)
        }
        #expect(taken?.code == .cannotWrite)
        #expect(FileManager.default.contents(atPath: folder.file("copy")) == Data([9]))
    }

    @Test("A file that cannot be read is an error", arguments: StoreKind.available)
    func unreadable(_ kind: StoreKind) async throws {
        let store = try await kind.make(in: folder)
        for path in [folder.file("none"), folder.path, "/dev/null"] {
            let error = await #expect(throws: BlobError.self) {
                try await store.upload(path, as: try self.name("a"), UploadOptions())
            }
            #expect(error?.code == .cannotRead, "\(path)")
        }
    }

    @Test("A store that does not exist is an error, and never the answer that a blob is missing", arguments: StoreKind.available)
    func absent(_ kind: StoreKind) async throws {
        let store: any BlobStore =
            switch kind {
            case .directory: DirectoryBlobs(FarmDirectory(folder.file("none")))
            case .s3: try await MotoServer.shared().store(bucket: "no-such-bucket")
            case .signed: try await StoreKind.signing(for: MotoServer.shared().store(bucket: "no-such-bucket"))
            }
        let blob = try name("a")
        let path = try file([1])
        let calls: [@Sendable () async throws -> Void] = [
            { _ = try await store.info(of: blob) }, { _ = try await store.read(blob, range: nil) },
            { _ = try await store.read(blob, range: 0..<1) }, { _ = try await store.list("", after: nil, limit: 1) },
            { [folder] in _ = try await store.download(blob, to: folder.file("copy"), sha256: nil) },
            { _ = try await store.upload(path, as: blob, UploadOptions()) }, { _ = try await store.copy(blob, to: blob) },
            { try await store.remove([blob]) }, { _ = try await store.removeLeftovers(olderThan: .zero) },
        ]
        for (number, call) in calls.enumerated() {
            let error = await #expect(throws: BlobError.self, "call \(number)") { try await call() }
            #expect(error?.code == .noStore, "call \(number): \(error?.description ?? "")")
            let isBucket = kind != .directory
            #expect(
                !isBucket || error?.message == "cannot be used, because there is no such bucket; create it first",
                "call \(number): \(error?.description ?? "")")
        }
    }
}
