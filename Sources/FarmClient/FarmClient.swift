import AsyncHTTPClient
import FarmAPI
import NIOCore
import NIOHTTP1

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The farm's HTTP API as typed calls; `FarmClient+Topic.swift` has them.
///
/// All throw `ClientFailure`. What may be repeated without harm is repeated when the connection fails: every call but
/// those that add something without an `Idempotency-Key`.
public struct FarmClient: Sendable {
    /// Where the farm is, without a slash at the end.
    public let server: String
    private let token: String
    /// Tries of a request that may be repeated.
    private let attempts: Int
    /// Where the pauses between tries pass.
    let clock: any Clock<Duration>
    /// A server that asks for a longer pause than this is not asked again.
    static let longestPause = Duration.seconds(60)
    let http = FarmClient.connections

    /// One pool of connections for the whole program, until it ends. A refused connection is told at once: whether to try
    /// again is decided in `repeating`.
    private static let connections: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.timeout = HTTPClient.Configuration.Timeout(connect: .seconds(5), read: .seconds(90))
        configuration.redirectConfiguration = .disallow
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    /// - Parameters:
    ///   - server: as in `http://farm.example:8080`.
    ///   - attempts: tries of a request that may be repeated, 1 or more.
    ///   - clock: where the pauses between tries pass.
    /// - Throws: `ClientFailure` when that is no address.
    public init(
        server: String, token: String, attempts: Int = 4, clock: any Clock<Duration> = ContinuousClock()
    ) throws {
        let address = URL(string: server)
        guard let scheme = address?.scheme, ["http", "https"].contains(scheme), address?.host?.isEmpty == false else {
            throw ClientFailure(.unreachable, "'\(server)' is no server's address; give one such as http://localhost:8080")
        }
        self.server = server.hasSuffix("/") ? String(server.dropLast()) : server
        self.token = token
        self.attempts = max(1, attempts)
        self.clock = clock
    }

    // MARK: JSON

    /// Asks, and reads the answer as JSON.
    func call<Answer: Decodable>(
        _ method: HTTPMethod, _ path: String, query: [(String, String?)] = [], body: Data? = nil,
        headers: HTTPHeaders = [:], repeatable: Bool = true, as type: Answer.Type
    ) async throws -> Answer {
        let (data, _) = try await exchange(method, path, query: query, body: body, headers: headers, repeatable: repeatable)
        do {
            return try FarmJSON.decode(type, from: data)
        } catch {
            throw ClientFailure(.notUnderstood, "\(server) gave an answer that this version does not understand: \(error)")
        }
    }

    /// Asks, and returns the answer's bytes.
    func exchange(
        _ method: HTTPMethod, _ path: String, query: [(String, String?)] = [], body: Data? = nil,
        headers: HTTPHeaders = [:], repeatable: Bool = true
    ) async throws -> (data: Data, headers: HTTPHeaders) {
        var request = request(method, path, query: query, headers: headers)
        if let body {
            request.headers.replaceOrAdd(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(bytes: body))
        }
        let ready = request
        return try await repeating(repeatable) {
            let response = try await http.execute(ready, timeout: .seconds(60))
            let buffer = try await response.body.collect(upTo: 256 << 20)
            let data = Data(buffer.readableBytesView)
            try check(response, data)
            return (data, response.headers)
        }
    }

    // MARK: Requests

    func request(
        _ method: HTTPMethod, _ path: String, query: [(String, String?)] = [], headers: HTTPHeaders = [:]
    ) -> HTTPClientRequest {
        let pairs = query.compactMap { name, value in value.map { "\(name)=\(FarmClient.escaped($0))" } }
        var request = HTTPClientRequest(
            url: "\(server)\(path)" + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&")))
        request.method = method
        request.headers = headers
        request.headers.replaceOrAdd(name: "Authorization", value: "Bearer \(token)")
        return request
    }

    /// A text as a part of an address.
    static func escaped(_ text: String) -> String {
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
        return text.utf8.map { byte in
            plain.contains(byte) ? String(UnicodeScalar(byte)) : (byte < 16 ? "%0" : "%") + String(byte, radix: 16)
        }.joined()
    }

    /// - Throws: `ClientFailure` with what the server says, unless it says yes.
    func check(_ response: HTTPClientResponse, _ body: Data) throws {
        guard !(200..<300).contains(response.status.code) else { return }
        throw refusal(response, body)
    }

    /// What an answer says that is no success, and when the next try may be.
    func refusal(_ response: HTTPClientResponse, _ body: Data) -> ClientFailure {
        var failure = reason(response, body)
        failure.retryAfter = FarmClient.retryAfter(response)
        return failure
    }

    private func reason(_ response: HTTPClientResponse, _ body: Data) -> ClientFailure {
        if let fault = try? FarmJSON.decode(FaultBody.self, from: body).error {  // else it is not the farm that answers
            return ClientFailure(.refused(fault.code), fault.message, diagnostics: fault.diagnostics ?? [])
        }
        let status = Int(response.status.code)
        switch status {
        case 404 where response.headers["Content-Length"].first == "0" || body.isEmpty:
            return ClientFailure(.refused(.notFound), "\(server) has nothing at this address")
        case 408, 429: return ClientFailure(.busy, "\(server) is busy (status \(status)); try again later")
        case 502, 503, 504: return ClientFailure(.refused(.unavailable), "\(server) is not available (status \(status))")
        default:
            return ClientFailure(.notUnderstood, "\(server) answers with status \(status); is it a Spool coordinator?")
        }
    }

    /// What an answer says about the next try, where it says so in seconds (RFC 9110, section 10.2.3). A date is left out, because
    /// the clocks of two machines may differ.
    private static func retryAfter(_ response: HTTPClientResponse) -> Duration? {
        response.headers.first(name: "Retry-After").flatMap(Int32.init).flatMap { $0 >= 0 ? .seconds($0) : nil }
    }

    /// Does something again, a little later each time, when the connection fails or the farm is away for the moment, and not
    /// before the time that the farm asks for.
    func repeating<Answer>(_ repeatable: Bool, _ work: () async throws -> Answer) async throws -> Answer {
        var pause = Duration.milliseconds(200)
        var attempt = 1
        while true {
            do {
                return try await work()
            } catch let error as CancellationError {
                throw error
            } catch {
                let failure = failure(error)
                let asked = failure.retryAfter ?? .zero
                guard repeatable, attempt < attempts, failure.mayPass, asked <= FarmClient.longestPause else { throw failure }
                attempt += 1
                try await clock.sleep(for: max(pause, asked))
                pause *= 3
            }
        }
    }

    /// What an error of the connection means.
    func failure(_ error: any Error) -> ClientFailure {
        if let failure = error as? ClientFailure { return failure }
        switch error as? HTTPClientError {
        case .readTimeout?, .writeTimeout?, .deadlineExceeded?:
            return ClientFailure(.interrupted, "\(server) does not answer in time; try again later")
        case .remoteConnectionClosed?:
            return ClientFailure(.interrupted, "the connection to \(server) broke; try again")
        case .connectTimeout?:
            return ClientFailure(.unreachable, "cannot reach the farm at \(server): nobody answers there")
        default:
            return ClientFailure(.unreachable, "cannot reach the farm at \(server): \(FarmClient.reason(error))")
        }
    }

    /// In a few words, where the system's own are known.
    private static func reason(_ error: any Error) -> String {
        let text = "\(error)"
        if text.contains("refused") { return "connection refused" }
        if text.contains("DNS") || text.contains("resolve") { return "there is no host of this name" }
        return text
    }
}

extension ClientFailure {
    /// Whether the same request may succeed a moment later.
    var mayPass: Bool {
        switch reason {
        case .unreachable, .interrupted, .busy, .refused(.unavailable), .refused(.tooManyRequests), .refused(.requestTimeout):
            true
        default: false
        }
    }
}
