import ArtifactStore
import ContentHashing
import Coordinator
import ExportPlan
import FarmAPI
import HTTPAPI
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import JobQueue
import NIOCore
import Synchronization
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A farm with two tenants, served without a network.
final class Farm: Sendable {
    let store: any FarmStore = MemoryFarmStore()
    let queue: any CoordinatorQueue & WorkerQueue = MemoryJobQueue()
    let directory: TemporaryDirectory
    let service: FarmService

    /// Secrets by what they are for: `submit`, `read`, `both`, `admin`, and `other`, another tenant's.
    let tokens = ["submit": "s-1", "read": "r-1", "both": "b-1", "admin": "a-1", "other": "o-1"]

    /// - Parameter sources: takes every path by default, whether something lies there or not.
    init(
        options: FarmService.Options = Farm.quickOptions, sources: SourceRule = SourceRule(allowedDirectories: ["/"])
    ) async throws {
        directory = try TemporaryDirectory()
        try FarmDirectory(directory.path).marker.create()
        let counter = WakeCounter()
        let signal = WakeSignal()
        service = FarmService(
            store: store, queue: queue, assets: try DirectoryAssets(FarmDirectory(directory.path)),
            films: DirectoryFilms(FarmDirectory(directory.path)), sources: sources, options: options,
            wake: {
                counter.add()
                signal.wake()
            })
        self.counter = counter
        self.signal = signal
        for name in ["one", "two", "operator"] { _ = try await store.createTenant(name, weight: 1) }
        let scopes: [(String, String, [Scope])] = [
            ("submit", "one", [.submit]), ("read", "one", [.read]), ("both", "one", [.submit, .read]),
            ("admin", "operator", [.admin]), ("other", "two", [.submit, .read]),
        ]
        for (name, tenant, scopes) in scopes {
            _ = try await store.createToken(
                name, tenant: tenant, scopes: scopes, hash: TokenSecret.hash(tokens[name] ?? name))
        }
    }

    private let counter: WakeCounter
    /// Woken with the leader, for a test that has one.
    let signal: WakeSignal

    /// How often the leader was told to look.
    var wakeCount: Int { counter.count }

    static var quickOptions: FarmService.Options {
        var options = FarmService.Options()
        options.watchInterval = .milliseconds(2)
        return options
    }

    /// Sends one request and returns the answer.
    func send(
        _ method: HTTPRequest.Method, _ path: String, as token: String? = "both", body: String? = nil,
        headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        try await send(method, path, as: token, bytes: body.map { Array($0.utf8) }, headers: headers)
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, as token: String? = "both", bytes: [UInt8]?,
        headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        var headers = headers
        if let token { headers[.authorization] = "Bearer \(tokens[token] ?? token)" }
        let fields = headers
        let body = bytes.map { ByteBuffer(bytes: $0) }
        return try await Application(router: service.router()).test(.router) { client in
            try await client.execute(uri: path, method: method, headers: fields, body: body)
        }
    }

    /// Submits a draft without sources of its own and returns the export.
    func submit(_ document: String = Farm.draft, as token: String = "both") async throws -> Export {
        let answer = try await send(.post, "/v1/exports", as: token, body: "{\"document\":\(document)}")
        try #require(answer.status == .created, "\(answer.text)")
        let export = try answer.json(Export.self)
        return export
    }

    /// A draft whose source the farm need not have.
    static let draft = #"{"version":1,"mainTrackClips":[{"type":"av","url":"/media/clip.mp4"}]}"#
}

/// How often something was called.
final class WakeCounter: Sendable {
    private let value = Mutex(0)
    var count: Int { value.withLock { $0 } }
    func add() { value.withLock { $0 += 1 } }
}

extension TestResponse {
    var text: String { String(buffer: body) }

    func json<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try FarmJSON.decode(type, from: Data(body.readableBytesView))
    }

    /// What the farm says is wrong.
    var fault: FaultBody.Fault? { try? json(FaultBody.self).error }  // an answer without one is the test's to judge
}
