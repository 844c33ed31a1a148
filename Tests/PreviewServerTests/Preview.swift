import HTTPTypes
import Hummingbird
import NIOCore
import PreviewServer
import Synchronization
import TestServer
import TestSupport
import Testing
import FoundationEssentials

/// A preview whose engine is the test, served without a network.
final class Preview: Sendable {
    static let token = "0123456789abcdef-secret"

    let directory: TemporaryDirectory
    let service: PreviewService
    private let told: ToldReports

    init(_ options: PreviewService.Options = PreviewService.Options()) throws {
        directory = try TemporaryDirectory()
        for folder in ["media", "stream"] {
            try FileManager.default.createDirectory(atPath: directory.file(folder), withIntermediateDirectories: true)
        }
        let told = ToldReports()
        self.told = told
        service = PreviewService(
            directory: directory.path, token: try #require(PreviewToken(Preview.token)), options: options,
            report: { told.add($0) })
    }

    /// The messages of the server to the engine, in order.
    var reports: [ServerReport] { told.all }

    /// Writes a file as the engine does.
    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: directory.file(name)), options: .atomic)
    }

    /// Sends a request with the token in the address.
    func get(_ path: String, _ method: HTTPRequest.Method = .get) async throws -> Answer {
        try await send(method, "\(path)\(path.contains("?") ? "&" : "?")token=\(Preview.token)")
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, host: String = "127.0.0.1:4000", headers: HTTPFields = [:],
        body: String? = nil
    ) async throws -> Answer {
        try await Answer(
            of: service.router(), to: method, path, host: host, headers: headers, body: body.map { ByteBuffer(string: $0) })
    }

    /// The cookie that the page's address gives to a browser.
    func cookie() async throws -> String {
        let field = try #require(try await send(.get, "/?token=\(Preview.token)").headers[.setCookie])
        return String(field.prefix { $0 != ";" })
    }

    /// A name of a media file.
    static func file(_ text: String) throws -> PreviewFileName { try #require(PreviewFileName(text)) }

    /// Waits until a number of requests wait for files.
    func untilWaiting(_ count: Int) async throws {
        while service.waitingRequests != count { try await nextLook() }
    }
}

/// The messages of a server.
private final class ToldReports: Sendable {
    private let reports = Mutex<[ServerReport]>([])

    var all: [ServerReport] { reports.withLock { $0 } }

    func add(_ report: ServerReport) { reports.withLock { $0.append(report) } }
}

extension Answer {
    var text: String { String(buffer: body) }
}

extension HTTPField.Name {
    static func named(_ name: StaticString) -> HTTPField.Name {
        guard let field = HTTPField.Name(name.description) else { preconditionFailure("'\(name)' is a header's name") }
        return field
    }
}
