import BlockingWork
import HTTPClient
import FarmAPI
import ArtifactStore
import Vocabulary
import FoundationEssentials

/// The farm's HTTP API as typed calls, which the files `FarmClient+Topic.swift` contain.
///
/// All calls throw `ClientFailure`. When the connection fails, a call is repeated if that is harmless: every call
/// except those that add something without an `Idempotency-Key`.
package struct FarmClient: Sendable {
    /// The farm's address, without a slash at the end.
    package let server: String
    private let token: String
    /// The maximum number of attempts of a repeatable request.
    private let attempts: Int
    /// The clock for the pauses between attempts.
    let clock: any Clock<Duration>
    /// The longest pause that is accepted. A server that asks for a longer one is not asked again.
    static let longestPause = Duration.seconds(60)
    let http = FarmClient.connections

    /// The connections of the whole program.
    private static let connections = Connections(connecting: .seconds(10), silence: .seconds(90))

    /// - Parameters:
    ///   - server: the farm's address, such as `http://farm.example:8080`.
    ///   - attempts: the maximum number of attempts of a repeatable request, 1 or more.
    ///   - clock: the clock for the pauses between attempts.
    /// - Throws: `ClientFailure` when `server` is not an address.
    package init(
        server: String, token: String, attempts: Int = 4, clock: any Clock<Duration> = ContinuousClock()
    ) throws {
        let address = URL(string: server)
        guard let scheme = address?.scheme, ["http", "https"].contains(scheme), address?.host?.isEmpty == false else {
            throw ClientFailure(
                .unreachable, "'\(server)' is not the address of a server; give one such as http://localhost:8080")
        }
        self.server = server.hasSuffix("/") ? String(server.dropLast()) : server
        self.token = token
        self.attempts = max(1, attempts)
        self.clock = clock
    }

    // MARK: JSON

    /// Sends a request and decodes the answer as JSON.
    func call<Answer: Decodable>(
        _ method: String, _ path: String, query: [(String, String?)] = [], body: Data? = nil,
        headers: [(String, String)] = [], repeatable: Bool = true, limit: Duration = .seconds(60), as type: Answer.Type
    ) async throws -> Answer {
        let data = try await exchange(
            method, path, query: query, body: body, headers: headers, repeatable: repeatable, limit: limit)
        do {
            return try FarmJSON.decode(type, from: data)
        } catch {
            throw ClientFailure(.notUnderstood, "\(server) sent an answer that this version does not understand: \(error)")
        }
    }

    /// Sends a request that coordinators of earlier versions do not know.
    /// - Parameter purpose: what the request is for, behind "which cannot".
    /// - Throws: `ClientFailure` that says so, where the coordinator does not have the address.
    func newer<Answer>(_ purpose: String, _ request: () async throws -> Answer) async throws -> Answer {
        do {
            return try await request()
        } catch let failure as ClientFailure where failure.isOfUnknownAddress {
            throw ClientFailure(
                .refused(.notFound),
                "the coordinator at \(server) is of an earlier version, which cannot \(purpose); upgrade it")
        }
    }

    /// Lists items page by page until enough of them match.
    /// - Parameters:
    ///   - limit: how many items are listed at most; nil for all that match.
    ///   - matches: nil where all do.
    func listing<Item>(
        _ path: String, query: [(String, String?)], limit: Int?, of type: Item.Type, where matches: ((Item) -> Bool)?
    ) async throws -> Listing<Item> {
        let page = matches == nil ? min(limit ?? 1000, 1000) : 1000
        var found: Listing<Item>?
        var cursor: String?
        while true {
            let next = try await call(
                "GET", path, query: query + [("limit", "\(page)"), ("cursor", cursor)], as: Listing<Item>.self)
            let items = matches.map { next.items.filter($0) } ?? next.items
            found = found ?? Listing([], at: next.at)
            found?.items += items
            if let limit, let count = found?.items.count, count >= limit {
                found?.items.removeLast(count - limit)
                break
            }
            // A server that repeats itself would never end.
            guard let last = next.next, last != cursor, !next.items.isEmpty else { break }
            cursor = last
        }
        return found ?? Listing([], at: Date())
    }

    /// Lists everything, page by page.
    func all<Item>(_ path: String, of type: Item.Type) async throws -> Listing<Item> {
        var listing = try await call("GET", path, query: [("limit", "1000")], as: Listing<Item>.self)
        while let cursor = listing.next {
            let page = try await call(
                "GET", path, query: [("limit", "1000"), ("cursor", cursor)], as: Listing<Item>.self)
            // A server that repeats itself would never end.
            guard page.next != cursor, !page.items.isEmpty else { break }
            listing.items += page.items
            listing.next = page.next
        }
        return listing
    }

    /// Sends a request and returns the answer's bytes.
    /// - Parameter limit: how long the request may take.
    func exchange(
        _ method: String, _ path: String, query: [(String, String?)] = [], body: Data? = nil,
        headers: [(String, String)] = [], repeatable: Bool = true, limit: Duration = .seconds(60)
    ) async throws -> Data {
        var request = request(method, path, query: query, headers: headers)
        request.limit = limit
        if let body {
            request.setHeader("Content-Type", "application/json")
            request.body = .bytes(Array(body))
        }
        let ready = request
        return try await repeating(repeatable) {
            let response = try await http.execute(ready)
            let data = Data(try await response.body.collect(upTo: 256 << 20))
            try check(response, data)
            return data
        }
    }

    // MARK: Requests

    func request(
        _ method: String, _ path: String, query: [(String, String?)] = [], headers: [(String, String)] = []
    ) -> OutgoingRequest {
        let pairs = query.compactMap { name, value in value.map { "\(name)=\($0.percentEncoded())" } }
        let url = "\(server)\(path)" + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
        return OutgoingRequest(method, url, headers: headers + [("Authorization", "Bearer \(token)")])
    }

    /// - Throws: `ClientFailure` with the server's message, unless the request succeeded.
    func check(_ response: IncomingResponse, _ body: Data) throws {
        guard !(200..<300).contains(response.status) else { return }
        throw refusal(response, body)
    }

    /// The failure that an answer without success describes, with the pause before the next attempt.
    func refusal(_ response: IncomingResponse, _ body: Data) -> ClientFailure {
        var failure = reason(response, body)
        failure.retryAfter = FarmClient.retryAfter(response)
        return failure
    }

    private func reason(_ response: IncomingResponse, _ body: Data) -> ClientFailure {
        if let problem = try? FarmJSON.decode(Problem.self, from: body) {  // otherwise a proxy answers
            return ClientFailure(.refused(problem.code), problem.detail, diagnostics: problem.diagnostics ?? [])
        }
        let status = response.status
        switch status {
        case 404 where body.isEmpty:
            return ClientFailure(.refused(.notFound), "\(server) has nothing at this address; is it a Spool coordinator?")
        case 408, 429: return ClientFailure(.busy, "\(server) is busy (status \(status)); try again later")
        case 502, 503, 504:
            return ClientFailure(.refused(.unavailable), "\(server) is not available (status \(status)); try again later")
        default:
            return ClientFailure(.notUnderstood, "\(server) answers with status \(status); is it a Spool coordinator?")
        }
    }

    /// The pause in seconds that an answer asks for before the next attempt (RFC 9110, section 10.2.3). A date is
    /// ignored, because the clocks of two machines may differ.
    private static func retryAfter(_ response: IncomingResponse) -> Duration? {
        response.header("Retry-After").flatMap(Int32.init).flatMap { $0 >= 0 ? .seconds($0) : nil }
    }

    /// Retries `work` with growing pauses when the connection fails or the farm is unavailable, but not before the time
    /// that the farm asks for. What a retry cannot help, such as a missing library, fails at once.
    package func repeating<Answer>(_ repeatable: Bool, _ work: () async throws -> Answer) async throws -> Answer {
        let backoff = Backoff(first: .milliseconds(200), growth: 3, limit: FarmClient.longestPause, jitter: 0)
        var attempt = 1
        while true {
            do {
                return try await work()
            } catch let error as CancellationError {
                throw error
            } catch let fault as OutputCheck.Fault {
                // The error is about a file of this machine, so a retry cannot help.
                throw fault
            } catch {
                let failure = failure(error)
                let asked = failure.retryAfter ?? .zero
                guard repeatable, attempt < attempts, failure.isRetryable, asked <= FarmClient.longestPause else { throw failure }
                try await clock.sleep(for: max(backoff.pause(before: attempt), asked))
                attempt += 1
            }
        }
    }

    /// The failure that an error of the connection stands for.
    func failure(_ error: any Error) -> ClientFailure {
        if let failure = error as? ClientFailure { return failure }
        guard let error = error as? TransferError else {
            return ClientFailure(.unreachable, "cannot reach the farm at \(server): \(error)")
        }
        switch error.code {
        case .unreadableFile: return ClientFailure(.file, error.message)
        case .noLibrary: return ClientFailure(.environment, error.message)
        case .timedOut:
            return ClientFailure(.interrupted, "\(server) does not answer in time; try again later")
        case .connectionClosed:
            return ClientFailure(.interrupted, "the connection to \(server) broke; try again")
        case .tooLarge:
            return ClientFailure(.notUnderstood, "\(server) gives an answer that is too long: \(error.message)")
        case .connectionTimedOut:
            return ClientFailure(.unreachable, "cannot reach the farm at \(server): no server answers there")
        default:
            return ClientFailure(.unreachable, "cannot reach the farm at \(server): \(reason(error))")
        }
    }

    /// A short reason for the common errors of connections, otherwise libcurl's own text.
    private func reason(_ error: TransferError) -> String {
        switch error.code {
        case .notTLS:
            "the server there does not use TLS; give the address with http://, as http" + server.dropFirst("https".count)
        case .untrustedCertificate:
            "its TLS certificate is not trusted here (\(error.message)); add the certificate's authority to those that this "
                + "machine trusts, or name its file in SSL_CERT_FILE"
        case .tlsFailed: "the TLS connection fails (\(error.message))"
        case .connectionRefused: "connection refused; start the coordinator there, or correct the address"
        case .noSuchHost: "there is no host with this name; correct the address"
        default: error.message
        }
    }
}

extension ClientFailure {
    /// Whether the coordinator knows nothing of the request's address, as one of an earlier version.
    fileprivate var isOfUnknownAddress: Bool {
        guard case .refused(let code) = reason, code == .notFound || code == .methodNotAllowed else { return false }
        return message == "there is nothing at this address" || message.hasPrefix("this address does not support ")
    }

    /// Whether the same request may succeed a moment later.
    package var isRetryable: Bool {
        switch reason {
        case .unreachable, .interrupted, .busy, .refused(.unavailable), .refused(.tooManyRequests), .refused(.requestTimeout):
            true
        default: false
        }
    }
}
