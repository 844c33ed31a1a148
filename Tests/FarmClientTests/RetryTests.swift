import Coordinator
import FarmAPI
import FarmClient
import HTTPClient
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import TestServer
import Testing
import FoundationEssentials

/// The client against an overloaded server.
@Suite("A client that is refused", .timeLimit(.minutes(2)))
struct RetryTests {
    /// One answer of the server; after the last of several answers, it is repeated.
    private struct Answer: Sendable {
        var status: HTTPResponse.Status
        var retryAfter: String?
        var body = ""

        static func busy(_ retryAfter: String?) -> Answer { Answer(status: .tooManyRequests, retryAfter: retryAfter) }
        static func unavailable(_ retryAfter: String?) -> Answer {
            Answer(status: .serviceUnavailable, retryAfter: retryAfter)
        }
        static let nobody = Answer(status: .notFound)
        /// An empty listing of exports.
        static func listing() throws -> Answer {
            Answer(status: .ok, body: String(decoding: try FarmJSON.encode(Listing<Export>([], at: Date())), as: UTF8.self))
        }
    }

    /// The requests that the server got, and the client's pauses between them.
    private struct Outcome {
        var requests: Int
        var pauses: [Duration]
    }

    private func serve(_ answers: [Answer], _ work: @Sendable (FarmClient) async throws -> Void) async throws -> Outcome {
        let requests = Mutex(0)
        let router = Router()
        for method in [HTTPRequest.Method.get, .head, .post] {
            router.on("**", method: method) { _, _ in
                let number = requests.withLock { count in
                    defer { count += 1 }
                    return count
                }
                let answer = answers[min(number, answers.count - 1)]
                var headers: HTTPFields = [:]
                if let pause = answer.retryAfter { headers[.retryAfter] = pause }
                return Response(
                    status: answer.status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: answer.body)))
            }
        }
        let clock = QuickClock()
        try await serving(router) { port in
            try await work(try FarmClient(server: "http://127.0.0.1:\(port)", token: "t", clock: clock))
        }
        return Outcome(requests: requests.withLock { $0 }, pauses: clock.pauses)
    }

    @Test("The client waits as long as Retry-After says, for 429 and for 503")
    func retryAfter() async throws {
        let outcome = try await serve([.busy("7"), .unavailable("5"), try .listing()]) { client in
            let found = try await client.exports().items
            #expect(found.isEmpty)
        }
        #expect(outcome.requests == 3)
        #expect(outcome.pauses == [.seconds(7), .seconds(5)])
    }

    @Test("The client uses its own growing pauses when Retry-After is shorter, not a number, or missing")
    func ownPauses() async throws {
        let date = "Wed, 21 Oct 2099 07:28:00 GMT"
        let outcome = try await serve([.busy("0"), .busy(date), .busy(nil), try .listing()]) { client in
            let found = try await client.exports().items
            #expect(found.isEmpty)
        }
        #expect(outcome.requests == 4)
        #expect(outcome.pauses == [.milliseconds(200), .milliseconds(600), .milliseconds(1800)])
    }

    @Test("The client fails after four attempts with the server's message")
    func tries() async throws {
        let body = String(decoding: try FarmJSON.encode(Problem(.tooManyRequests, "this token asks too often")), as: UTF8.self)
        let answer = Answer(status: .tooManyRequests, retryAfter: "1", body: body)
        let outcome = try await serve([answer]) { client in
            let failure = try await #require(throws: ClientFailure.self) { _ = try await client.exports() }
            #expect(failure.reason == .refused(.tooManyRequests))
            #expect(failure.message == "this token asks too often")
            #expect(failure.retryAfter == .seconds(1))
        }
        #expect(outcome.requests == 4)
        #expect(outcome.pauses == [.seconds(1), .seconds(1), .milliseconds(1800)])
    }

    @Test("The client asks again for an asset when the farm's store is away, with no other request between")
    func storeAway() async throws {
        let outcome = try await serve([.unavailable("5"), .nobody]) { client in
            let isThere = try await client.hasAsset(String(repeating: "0", count: 64))
            #expect(!isThere)
        }
        #expect(outcome.requests == 2)
        #expect(outcome.pauses == [.seconds(5)])
    }

    @Test("The client does not wait for an hour")
    func longPause() async throws {
        let outcome = try await serve([.busy("3600"), try .listing()]) { client in
            let failure = try await #require(throws: ClientFailure.self) { _ = try await client.exports() }
            #expect(failure.reason == .busy)
            #expect(failure.message.hasSuffix(" is busy (status 429); try again later"))
            #expect(failure.retryAfter == .seconds(3600))
        }
        #expect(outcome.requests == 1)
        #expect(outcome.pauses.isEmpty)
    }

    @Test("The client does not repeat a request that must not run twice")
    func unrepeatable() async throws {
        let outcome = try await serve([.busy("0")]) { client in
            let failure = try await #require(throws: ClientFailure.self) { _ = try await client.cancel(ExportID()) }
            #expect(failure.reason == .busy)
        }
        #expect(outcome.requests == 1)
        #expect(outcome.pauses.isEmpty)
    }

    @Test(
        "An answer of something else than a coordinator is reported with its status and what to do",
        arguments: [
            (404, " has nothing at this address; is it a Spool coordinator?"),
            (503, " is not available (status 503); try again later"),
            (418, " answers with status 418; is it a Spool coordinator?"),
            (200, " sent an answer that this version does not understand: "),
        ])
    func others(status: Int, words: String) async throws {
        _ = try await serve([Answer(status: HTTPResponse.Status(code: status))]) { client in
            let failure = try await #require(throws: ClientFailure.self) { _ = try await client.exports() }
            #expect(failure.message.contains(words), "\(failure.message)")
        }
    }

    @Test(
        "A connection that fails is reported with the farm's address and what to do",
        arguments: [
            (TransferError(.timedOut, "x"), "https://farm.example does not answer in time; try again later"),
            (TransferError(.connectionClosed, "x"), "the connection to https://farm.example broke; try again"),
            (
                TransferError(.tooLarge, "more than 9 bytes"),
                "https://farm.example gives an answer that is too long: more than 9 bytes"
            ),
            (TransferError(.connectionTimedOut, "x"), "cannot reach the farm at https://farm.example: no server answers there"),
            (
                TransferError(.notTLS, "x"),
                "cannot reach the farm at https://farm.example: the server there does not use TLS; give the address with http://, "
                    + "as http://farm.example"
            ),
            (
                TransferError(.untrustedCertificate, "self-signed"),
                "cannot reach the farm at https://farm.example: its TLS certificate is not trusted here (self-signed); add the "
                    + "certificate's authority to those that this machine trusts, or name its file in SSL_CERT_FILE"
            ),
            (
                TransferError(.tlsFailed, "no cipher"),
                "cannot reach the farm at https://farm.example: the TLS connection fails (no cipher)"
            ),
            (
                TransferError(.noSuchHost, "x"),
                "cannot reach the farm at https://farm.example: there is no host with this name; correct the address"
            ),
        ])
    func connections(error: TransferError, message: String) async throws {
        let client = try FarmClient(server: "https://farm.example", token: "t", clock: QuickClock())
        let failure = await #expect(throws: ClientFailure.self) {
            try await client.repeating(false) { () async throws -> Void in throw error }
        }
        #expect(failure?.message == message)
    }

    @Test("The client fails at once when the library for requests is missing, and names the package to install")
    func missingLibrary() async throws {
        let clock = QuickClock()
        let client = try FarmClient(server: "http://127.0.0.1:1", token: "t", clock: clock)
        let message = "libcurl cannot be loaded; install Debian's package libcurl4 (no such file)"
        for (error, reason, attempts) in [
            (TransferError(.noLibrary, message), ClientFailure.Reason.environment, 1),
            (TransferError(.connectionRefused, "refused"), .unreachable, 4),
        ] {
            var count = 0
            let failure = await #expect(throws: ClientFailure.self) {
                try await client.repeating(true) {
                    count += 1
                    throw error
                }
            }
            #expect(failure?.reason == reason)
            #expect(count == attempts)
            if reason == .environment {
                #expect(failure?.message == message)
                #expect(clock.pauses.isEmpty)
            }
        }
    }

    @Test("The client asks for an asset again when the server is overloaded")
    func assets() async throws {
        let outcome = try await serve([.busy("9"), .nobody]) { client in
            let isThere = try await client.hasAsset(String(repeating: "0", count: 64))
            #expect(!isThere)
        }
        #expect(outcome.requests == 2)
        #expect(outcome.pauses == [.seconds(9)])
    }

    @Test("The client continues to follow an export when the server is overloaded")
    func following() async throws {
        let outcome = try await serve([.busy("9"), .nobody]) { client in
            let failure = try await #require(throws: ClientFailure.self) { _ = try await client.follow([ExportID()]) }
            #expect(failure.reason == .refused(.notFound))
        }
        #expect(outcome.requests == 2)
        #expect(outcome.pauses == [.seconds(9)])
    }
}

/// A clock whose pauses take no time; it records how long each would be.
private final class QuickClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
    }

    private let slept = Mutex<[Duration]>([])

    var pauses: [Duration] { slept.withLock { $0 } }
    var now: Instant { Instant(offset: pauses.reduce(.zero, +)) }
    let minimumResolution = Duration.zero

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let pause = now.duration(to: deadline)
        slept.withLock { $0.append(pause) }
    }
}
