import ArtifactStore
import ContentHashing
import Coordinator
import DraftModel
import FarmAPI
import HTTPAPI
import HTTPTypes
import Hummingbird
import NIOCore
import Logging
import NIOEmbedded
import Synchronization
import TestServer
import TestSupport
import Testing
import FoundationEssentials
import Glibc

@Suite("An asset")
struct AssetTests {
    private let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 * 7) }

    @Test("An uploaded asset can be found with its size and is listed with its name")
    func upload() async throws {
        let farm = try await Farm()
        let hash = ContentHash.of(bytes)
        #expect(try await farm.send(.head, "/v1/assets/\(hash)").status == .notFound)
        let name = try #require(HTTPField.Name("Asset-Name"))
        let answer = try await farm.send(.put, "/v1/assets/\(hash)", bytes: bytes, headers: [name: "M%C3%A4rz%201.mp4"])
        #expect(answer.status == .created)
        #expect(try answer.json(Asset.self).name == "März 1.mp4")
        #expect(try await farm.send(.head, "/v1/assets/\(hash)").headers[.contentLength] == "200000")
        let listed = try await farm.send(.get, "/v1/assets").json(Listing<Asset>.self).items
        #expect(listed.map(\.hash) == [hash])
        let file = farm.directory.path + "/assets/1/\(hash.prefix(2))/\(hash)"
        #expect(try Files.read(file) == bytes)
        #expect(try Files.names(in: farm.directory.path + "/assets/tmp").isEmpty)
    }

    @Test("Uploading an asset again leaves its file untouched, but replaces a damaged one")
    func uploadedAgain() async throws {
        let farm = try await Farm()
        let hash = ContentHash.of(bytes)
        let file = farm.directory.path + "/assets/1/\(hash.prefix(2))/\(hash)"
        func inode() throws -> Int {
            try #require(try FileManager.default.attributesOfItem(atPath: file)[.systemFileNumber] as? Int)
        }
        _ = try await farm.send(.put, "/v1/assets/\(hash)", bytes: bytes)
        let first = try inode()
        _ = try await farm.send(.put, "/v1/assets/\(hash)", bytes: bytes)
        #expect(try inode() == first)
        var damaged = bytes
        damaged[1000] ^= 1
        try Data(damaged).write(to: URL(fileURLWithPath: file))
        _ = try await farm.send(.put, "/v1/assets/\(hash)", bytes: bytes)
        #expect(try Files.read(file) == bytes)
        #expect(try Files.names(in: farm.directory.path + "/assets/tmp").isEmpty)
    }

    @Test("An asset is sent whole, in part or not at all to a client that has it; an unknown one is 404")
    func download() async throws {
        let farm = try await Farm()
        let hash = ContentHash.of(bytes)
        let missing = try await farm.send(.get, "/v1/assets/\(hash)")
        #expect(missing.status == .notFound && missing.fault?.detail == "the farm has no asset '\(hash)'")
        _ = try await farm.send(.put, "/v1/assets/\(hash)", bytes: bytes)
        let whole = try await farm.send(.get, "/v1/assets/\(hash)")
        #expect(whole.status == .ok && whole.body.readableBytesView.elementsEqual(bytes))
        #expect(whole.headers[.eTag] == "\"\(hash)\"")
        let part = try await farm.send(.get, "/v1/assets/\(hash)", headers: [.range: "bytes=100-199"])
        #expect(part.status == .partialContent && part.body.readableBytesView.elementsEqual(bytes[100..<200]))
        #expect(part.headers[.contentRange] == "bytes 100-199/200000")
        let known = try await farm.send(.get, "/v1/assets/\(hash)", headers: [.ifNoneMatch: "\"\(hash)\""])
        #expect(known.status == .notModified && known.body.readableBytes == 0)
        #expect(try await farm.send(.get, "/v1/assets/\(hash)", as: "other").status == .notFound)
    }

    @Test("An asset may be uploaded twice without harm")
    func twice() async throws {
        let farm = try await Farm()
        let hash = ContentHash.of(bytes)
        for _ in 0..<2 { #expect(try await farm.send(.put, "/v1/assets/\(hash)", bytes: bytes).status == .created) }
        #expect(try await farm.send(.get, "/v1/assets").json(Listing<Asset>.self).items.count == 1)
    }

    @Test("An empty file can be an asset")
    func empty() async throws {
        let hash = ContentHash.of([UInt8]())
        #expect(try await Farm().send(.put, "/v1/assets/\(hash)", bytes: []).status == .created)
    }

    @Test("An upload that cannot begin reports the system's error")
    func notBegun() async throws {
        let farm = try await Farm()
        let folder = farm.directory.path + "/assets/tmp"
        try FileManager.default.removeItem(atPath: folder)
        try Data().write(to: URL(fileURLWithPath: folder))
        let answer = try await farm.send(.put, "/v1/assets/\(ContentHash.of(bytes))", bytes: bytes)
        #expect(answer.status.code >= 500, "\(answer.status)")
        #expect(answer.fault?.detail == "the farm's storage cannot be written: Not a directory")
    }

    @Test("An upload while the store is away is refused, and nothing is created in the store's place")
    func away() async throws {
        let farm = try await Farm()
        for name in ["assets", ".spool-store"] { try FileManager.default.removeItem(atPath: farm.directory.path + "/\(name)") }
        let answer = try await farm.send(.put, "/v1/assets/\(ContentHash.of(bytes))", bytes: bytes)
        #expect(answer.status == .serviceUnavailable)
        #expect(access(farm.directory.path + "/assets", F_OK) != 0)
        try FarmDirectory(farm.directory.path).marker.create()
        #expect(try await farm.send(.put, "/v1/assets/\(ContentHash.of(bytes))", bytes: bytes).status == .created)
    }

    @Test("An asset whose file was truncated counts as missing until it is uploaded again")
    func truncated() async throws {
        let farm = try await Farm()
        let hash = ContentHash.of(bytes)
        _ = try await farm.send(.put, "/v1/assets/\(hash)", bytes: bytes)
        let file = farm.directory.path + "/assets/1/\(hash.prefix(2))/\(hash)"
        try Data(bytes.dropLast()).write(to: URL(fileURLWithPath: file))
        #expect(try await farm.send(.head, "/v1/assets/\(hash)").status == .notFound)
        #expect(try await farm.send(.put, "/v1/assets/\(hash)", bytes: bytes).status == .created)
        #expect(try await farm.send(.head, "/v1/assets/\(hash)").status == .ok)
        #expect(try Files.read(file) == bytes)
    }

    @Test("An asset whose file is gone counts as missing until it is uploaded again")
    func mending() async throws {
        let farm = try await Farm()
        let hash = ContentHash.of(bytes)
        _ = try await farm.send(.put, "/v1/assets/\(hash)", bytes: bytes)
        try FileManager.default.removeItem(atPath: farm.directory.path + "/assets/1/\(hash.prefix(2))/\(hash)")
        #expect(try await farm.send(.head, "/v1/assets/\(hash)").status == .notFound)
        #expect(try await farm.send(.put, "/v1/assets/\(hash)", bytes: bytes).status == .created)
        #expect(try await farm.send(.head, "/v1/assets/\(hash)").status == .ok)
    }

    @Test("An asset is renamed before its folder is synced, and is refused if the sync fails", arguments: [0, EIO])
    func durable(_ code: Int32) async throws {
        let directory = try TemporaryDirectory()
        try FarmDirectory(directory.path).marker.create()
        let hash = ContentHash.of(bytes)
        let place = "\(directory.path)/assets/1/\(hash.prefix(2))"
        let synced = Mutex<[String]>([])
        let files = DurableFiles { path in
            synced.withLock { $0.append(path) }
            guard path == place else { return 0 }
            return access("\(place)/\(hash)", F_OK) == 0 ? code : ENOENT
        }
        let upload = try await DirectoryAssets(FarmDirectory(directory.path), files: files).beginUpload(tenant: 1)
        try await upload.write(bytes)
        if code == 0 {
            #expect(try await upload.finish(as: hash).byteCount == 200_000)
        } else {
            let error = try await #require(throws: AssetUploadError.self) { _ = try await upload.finish(as: hash) }
            #expect(error.message == "the farm's storage cannot be written: Input/output error")
        }
        // Two new folders, and the rename of the asset.
        #expect(synced.withLock { $0 } == [directory.path + "/assets", directory.path + "/assets/1", place])
        #expect(try Files.names(in: directory.path + "/assets/tmp").isEmpty)
    }

    private func draft(_ hash: String) -> String {
        "{\"document\":{\"version\":1,\"mainTrackClips\":[{\"type\":\"av\",\"url\":\"asset:\(hash)\"}]}}"
    }

    @Test(
        "An asset whose file cannot be read is a storage failure, not a missing asset",
        arguments: ["itself", "/proc/self/mem"])
    func unreadable(_ target: String) async throws {
        let farm = try await Farm()
        let hash = ContentHash.of(bytes)
        _ = try await farm.send(.put, "/v1/assets/\(hash)", bytes: bytes)
        let file = farm.directory.path + "/assets/1/\(hash.prefix(2))/\(hash)"
        try FileManager.default.removeItem(atPath: file)
        // A link to itself cannot be opened; the other link's target can be opened but not read.
        try #require(symlink(target == "itself" ? file : target, file) == 0)
        let answer = try await farm.send(.post, "/v1/exports", body: draft(hash))
        expectStorageFault(answer)
        expectStorageFault(try await farm.send(.get, "/v1/assets/\(hash)"))
        #expect(try await farm.store.exports(ExportFilter(limit: 10)).isEmpty)
    }

    @Test("An asset does not count as missing while the whole store is unavailable")
    func absentStore() async throws {
        let farm = try await Farm()
        let hash = ContentHash.of(bytes)
        _ = try await farm.send(.put, "/v1/assets/\(hash)", bytes: bytes)
        let root = farm.directory.path
        let away = try TemporaryDirectory()
        for name in [".spool-store", "assets"] {
            try FileManager.default.moveItem(atPath: "\(root)/\(name)", toPath: away.file(name))
        }
        expectStorageFault(try await farm.send(.post, "/v1/exports", body: draft(hash)))
        expectStorageFault(try await farm.send(.get, "/v1/assets/\(hash)"))
        expectStorageFault(try await farm.send(.put, "/v1/assets/\(hash)", bytes: bytes))
        #expect(try Files.names(in: root).isEmpty)
        try FileManager.default.moveItem(atPath: away.file(".spool-store"), toPath: "\(root)/.spool-store")
        let missing = try await farm.send(.post, "/v1/exports", body: draft(hash))
        #expect(missing.status == .unprocessableContent)
        #expect(missing.fault?.diagnostics?.first?.message.contains("upload it first") == true)
        try FileManager.default.moveItem(atPath: away.file("assets"), toPath: "\(root)/assets")
        #expect(try await farm.send(.post, "/v1/exports", body: draft(hash)).status == .created)
    }

    private func expectStorageFault(_ answer: Answer, _ place: SourceLocation = #_sourceLocation) {
        #expect(answer.status == .serviceUnavailable, sourceLocation: place)
        #expect(answer.headers[.retryAfter] == "2", sourceLocation: place)
        #expect(answer.fault?.detail.contains("the farm's storage") == true, sourceLocation: place)
        #expect(answer.fault?.diagnostics == nil, sourceLocation: place)
    }

    @Test("An asset with another hash than its name is refused and removed")
    func otherBytes() async throws {
        let farm = try await Farm()
        let hash = ContentHash.of([1, 2, 3] as [UInt8])
        let answer = try await farm.send(.put, "/v1/assets/\(hash)", bytes: bytes)
        #expect(answer.status == .unprocessableContent)
        #expect(answer.fault?.code == .hashMismatch)
        #expect(
            answer.fault?.detail == "the \(bytes.count) bytes sent have the sha256 \(ContentHash.of(bytes)), not \(hash)")
        #expect(try await farm.send(.head, "/v1/assets/\(hash)").status == .notFound)
        #expect(try Files.names(in: farm.directory.path + "/assets/tmp").isEmpty)
    }

    @Test("An asset that is too large is refused and removed, with or without a known length", arguments: [true, false])
    func tooLarge(_ says: Bool) async throws {
        var options = FarmService.Options()
        options.assetLimit = 100_000
        let farm = try await Farm(options: options)
        let hash = ContentHash.of(bytes)
        if says {
            let answer = try await farm.send(.put, "/v1/assets/\(hash)", bytes: bytes)
            #expect(answer.status == .contentTooLarge)
            #expect(answer.fault?.detail == "an asset has at most 100000 bytes here")
        } else {
            let body = RequestBody(asyncSequence: Chunks(chunks: [bytes], breaks: false))
            #expect(try await status(farm, hash, body) == .contentTooLarge)
        }
        #expect(try Files.names(in: farm.directory.path + "/assets/tmp").isEmpty)
        #expect(try await farm.send(.head, "/v1/assets/\(hash)").status == .notFound)
    }

    @Test("An upload that breaks off leaves nothing")
    func interrupted() async throws {
        let farm = try await Farm()
        let hash = ContentHash.of(bytes)
        let body = RequestBody(asyncSequence: Chunks(chunks: [Array(bytes.prefix(1000))], breaks: true))
        let broken = try await answer(farm, hash, body)
        #expect(broken.status == .internalServerError)
        #expect(broken.text.contains("an internal error occurred; see the coordinator's log"), "\(broken.text)")
        let short = RequestBody(asyncSequence: Chunks(chunks: [Array(bytes.prefix(1000))], breaks: false))
        let ended = try await answer(farm, hash, short, length: 2000)
        #expect(ended.status == .badRequest)
        #expect(ended.text.contains("the body ended after 1000 of 2000 bytes"), "\(ended.text)")
        #expect(try Files.names(in: farm.directory.path + "/assets/tmp").isEmpty)
        #expect(try await farm.send(.head, "/v1/assets/\(hash)").status == .notFound)
    }

    @Test(
        "An asset's name is 64 hexadecimal digits and nothing else",
        arguments: ["abc", String(repeating: "G", count: 64), "..%2f..%2fx"])
    func badNames(_ name: String) async throws {
        #expect(try await Farm().send(.put, "/v1/assets/\(name)", bytes: [1]).status == .badRequest)
    }

    @Test("The next coordinator removes unfinished uploads of a killed one, but not those of others")
    func leftovers() async throws {
        let farm = try await Farm()
        let folder = farm.directory.path + "/assets/tmp"
        let assets = try DirectoryAssets(FarmDirectory(farm.directory.path))
        let upload = try await assets.beginUpload(tenant: 1)
        let own = try #require(try Files.names(in: folder).first)
        let parts = own.split(separator: "-")
        try Files.write([1], to: "\(folder)/4194305-\(parts[1])-1")
        try Files.write([1], to: "\(folder)/4194305-elsewhere-1")
        _ = try DirectoryAssets(FarmDirectory(farm.directory.path))
        #expect(Set(try Files.names(in: folder)) == [own, "4194305-elsewhere-1"])
        await upload.abandon()
    }

    /// Uploads a body that is generated in chunks.
    private func status(_ farm: Farm, _ hash: String, _ body: RequestBody) async throws -> HTTPResponse.Status {
        try await answer(farm, hash, body).status
    }

    /// Uploads a body that is generated in chunks.
    /// - Parameter length: the number of bytes that the request says it has; nil for none.
    private func answer(
        _ farm: Farm, _ hash: String, _ body: RequestBody, length: Int? = nil
    ) async throws -> (status: HTTPResponse.Status, text: String) {
        var headers: HTTPFields = [.authorization: "Bearer \(farm.tokens["both"] ?? "")"]
        if let length { headers[.contentLength] = "\(length)" }
        let head = HTTPRequest(
            method: .put, scheme: "http", authority: "localhost", path: "/v1/assets/\(hash)", headerFields: headers)
        let context = FarmRequestContext(
            source: ApplicationRequestContextSource(channel: NIOAsyncTestingChannel(), logger: Logger(label: "test")))
        let responder = farm.service.router().buildResponder()
        let response = try await responder.respond(to: Request(head: head, body: body), context: context)
        let written = WrittenBody()
        try await response.body.write(written)
        return (response.status, String(buffer: written.bytes.withLock { $0 }))
    }
}

/// Keeps what is written to a response.
private final class WrittenBody: ResponseBodyWriter, Sendable {
    let bytes = Mutex(ByteBuffer())

    func write(_ buffer: ByteBuffer) async throws { bytes.withLock { _ = $0.writeImmutableBuffer(buffer) } }
    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

/// A body in chunks that may break off.
private struct Chunks: AsyncSequence, Sendable {
    struct Broken: Error {}

    var chunks: [[UInt8]]
    var breaks: Bool

    func makeAsyncIterator() -> Iterator { Iterator(rest: chunks[...], breaks: breaks) }

    struct Iterator: AsyncIteratorProtocol {
        var rest: ArraySlice<[UInt8]>
        var breaks: Bool

        mutating func next() async throws -> ByteBuffer? {
            if let chunk = rest.popFirst() { return ByteBuffer(bytes: chunk) }
            if breaks { throw Broken() }
            return nil
        }
    }
}

/// The bytes of files, and the names in folders.
enum Files {
    static func read(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }
    static func write(_ bytes: [UInt8], to path: String) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }
    static func names(in folder: String) throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder) }
}
