import ArtifactStore
import ContentHashing
import Coordinator
import ExportPlan
import FarmAPI
import HTTPAPI
import HTTPTypes
import Hummingbird
import JobQueue
import NIOCore
import TestServer
import TestSupport
import Testing
import FoundationEssentials

/// A farm with two tenants, served without a network.
final class Farm: Sendable {
    let store: any FarmStore = MemoryFarmStore()
    let queue: any CoordinatorQueue & WorkerQueue = MemoryJobQueue()
    let directory: TemporaryDirectory
    let service: FarmService

    /// Secrets by purpose: `submit`, `read`, `both`, `admin`, `work`, and `other` for another tenant.
    let tokens = ["submit": "s-1", "read": "r-1", "both": "b-1", "admin": "a-1", "other": "o-1", "work": "w-1"]

    /// - Parameters:
    ///   - sources: the allowed sources; by default every path, whether a file exists there or not.
    ///   - asked: the queue that requests ask; nil for `queue`.
    ///   - observed: the database that the observer asks; nil for `store`.
    init(
        options: FarmService.Options = Farm.quickOptions, sources: SourceRule = SourceRule(allowedDirectories: ["/"]),
        asking asked: (any CoordinatorQueue)? = nil, observing observed: (any ObservationStore)? = nil
    ) async throws {
        directory = try TemporaryDirectory()
        try FarmDirectory(directory.path).marker.create()
        let counter = CallCounter()
        let signal = WakeSignal()
        service = FarmService(
            store: store, queue: asked ?? queue, assets: try DirectoryAssets(FarmDirectory(directory.path)),
            films: DirectoryFilms(FarmDirectory(directory.path)), sources: sources, options: options,
            // However slow the machine is, the store of the tests answers.
            observer: FarmObserver(store: observed ?? store, queue: queue, timeout: .seconds(600)),
            wake: {
                counter.add()
                signal.wake()
            })
        self.counter = counter
        self.signal = signal
        for name in ["one", "two", "operator"] { _ = try await store.createTenant(name, weight: 1) }
        let scopes: [(String, String, [Scope])] = [
            ("submit", "one", [.submit]), ("read", "one", [.read]), ("both", "one", [.submit, .read]),
            ("admin", "operator", [.admin]), ("other", "two", [.submit, .read]), ("work", "operator", [.work]),
        ]
        for (name, tenant, scopes) in scopes {
            _ = try await store.createToken(
                name, tenant: tenant, scopes: scopes, hash: TokenSecret.hash(tokens[name] ?? name))
        }
    }

    private let counter: CallCounter
    /// The signal that also wakes the leader, for a test that has one.
    let signal: WakeSignal

    /// How often the leader was woken.
    var wakeCount: Int { counter.count }

    static var quickOptions: FarmService.Options {
        var options = FarmService.Options()
        options.watchInterval = .milliseconds(2)
        options.queueTimeout = .seconds(600)
        return options
    }

    /// The descriptions of all routes.
    static let routes = FarmService(
        store: MemoryFarmStore(), queue: MemoryJobQueue(), assets: NoFiles(), films: NoFiles(), wake: {}
    ).routes

    /// Sends one request and returns the answer.
    func send(
        _ method: HTTPRequest.Method, _ path: String, as token: String? = "both", body: String? = nil,
        headers: HTTPFields = [:]
    ) async throws -> Answer {
        try await send(method, path, as: token, bytes: body.map { Array($0.utf8) }, headers: headers)
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, as token: String? = "both", bytes: [UInt8]?,
        headers: HTTPFields = [:]
    ) async throws -> Answer {
        var headers = headers
        if let token { headers[.authorization] = "Bearer \(tokens[token] ?? token)" }
        let answer = try await Answer(
            of: service.router(), to: method, path, headers: headers, body: bytes.map { ByteBuffer(bytes: $0) })
        #expect(DescribedAnswers.faults(of: answer, to: method, path).isEmpty)
        return answer
    }

    /// Submits a draft without sources of its own and returns the export.
    func submit(_ document: String = Farm.draft, as token: String = "both") async throws -> Export {
        let answer = try await send(.post, "/v1/exports", as: token, body: "{\"document\":\(document)}")
        try #require(answer.status == .created, "\(answer.text)")
        let export = try answer.json(Export.self)
        return export
    }

    /// Uploads a text as an asset.
    /// - Returns: its hash.
    func upload(_ text: String, as token: String = "both") async throws -> String {
        let hash = ContentHash.of(text.utf8)
        let answer = try await send(.put, "/v1/assets/\(hash)", as: token, bytes: Array(text.utf8))
        try #require(answer.status == .created, "\(answer.text)")
        return hash
    }

    /// A draft whose source need not exist.
    static let draft = #"{"version":1,"mainTrackClips":[{"type":"av","url":"/media/clip.mp4"}]}"#
}

/// A storage without assets and films.
private struct NoFiles: AssetBlobs, FilmFiles {
    func file(of hash: String, tenant: Int64) async throws -> String? { nil }
    func beginUpload(tenant: Int64) async throws -> any AssetUpload { throw CancellationError() }
    func film(_ key: ArtifactKey, tenant: Int64) async throws -> String? { nil }
    func recordedSum(of key: ArtifactKey, tenant: Int64) async throws -> (hash: String, byteCount: Int64)? { nil }
}

extension Answer {
    var text: String { String(buffer: body) }

    func json<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try FarmJSON.decode(type, from: Data(body.readableBytesView))
    }

    /// The error in the farm's answer.
    var fault: Problem? { try? json(Problem.self) }  // nil: the test judges the answer
}
