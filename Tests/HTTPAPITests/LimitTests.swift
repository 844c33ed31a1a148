import BlockingWork
import ContentHashing
import Coordinator
import Dispatch
import FarmAPI
import HTTPAPI
import HTTPTypes
import Hummingbird
import NIOCore
import TestServer
import TestSupport
import Testing
import FoundationEssentials
import Glibc

/// Limits of a server on a network for one client. Every test exceeds one of them. The extensions in the other files test
/// the form of requests (`LimitTests+Form.swift`), the time of whole requests (`LimitTests+RequestTime.swift`) and
/// documents (`LimitTests+Documents.swift`).
@Suite("A limit of the API", .timeLimit(.minutes(5)))
struct LimitTests {
    /// Serves a farm with these limits on a port.
    func serve(
        _ change: (inout RequestLimits) -> Void = { _ in }, _ body: @Sendable (Farm, Int) async throws -> Void
    ) async throws {
        var options = Farm.quickOptions
        // A body that a test holds back must not end earlier on a busy machine than the test looks at it.
        options.requests.bodyPause = .seconds(600)
        change(&options.requests)
        try await serve(options, body)
    }

    /// Serves a farm with these options on a port.
    func serve(_ options: FarmService.Options, _ body: @Sendable (Farm, Int) async throws -> Void) async throws {
        let farm = try await Farm(options: options)
        try await serving(farm.service.router(), farm.service.server()) { port in try await body(farm, port) }
    }

    func request(
        _ method: String, _ path: String, as token: String = "b-1", _ fields: String = "", length: Int? = nil
    ) -> String {
        let length = length.map { "Content-Length: \($0)\r\n" } ?? ""
        return "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n\(length)\(fields)\r\n"
    }

    /// Waits until a condition holds, up to the test's time limit.
    func until(_ holds: () throws -> Bool) async throws {
        while try !holds() {
            try await nextLook()
        }
    }

    func status(_ answer: String) -> String { String(answer.dropFirst("HTTP/1.1 ".count).prefix(3)) }

    // MARK: Times

    @Test(
        "A head that does not arrive in time gets 408 and ends the connection",
        arguments: ["", "G", "GET /healthz HTTP/1.1\r\n", "GET /healthz HTTP/1.1\r\nHost: a\r\nX-"])
    func headTime(_ text: String) async throws {
        try await serve({ $0.headTime = .milliseconds(50) }) { _, port in
            let connection = try RawConnection(port: port)
            connection.send(text)
            let answer = await connection.received()
            #expect(status(answer) == "408")
            #expect(answer.contains("\"code\":\"requestTimeout\""))
            #expect(answer.contains("the request's head did not arrive within 0.05 seconds"), "\(answer)")
            #expect(answer.contains("connection: close"))
        }
    }

    @Test("A body that stops or never comes gets 408 and ends the connection", arguments: ["", "{\"document\":"])
    func bodyTime(_ text: String) async throws {
        try await serve({ $0.bodyPause = .milliseconds(50) }) { farm, port in
            let connection = try RawConnection(port: port)
            connection.send(request("POST", "/v1/exports", length: 100) + text)
            let answer = await connection.received()
            #expect(status(answer) == "408")
            #expect(answer.contains("the request's body "), "\(answer)")
            let upload = try RawConnection(port: port)
            upload.send(request("PUT", "/v1/assets/\(String(repeating: "0", count: 64))", length: 100) + text)
            #expect(status(await upload.received()) == "408")
            #expect(try await farm.store.exports(ExportFilter(limit: 10)).isEmpty)
        }
    }

    /// The answer to a request whose body arrives one byte at a time until there is an answer.
    private func trickled(_ method: String, _ path: String, _ port: Int) async throws -> String {
        let connection = try RawConnection(port: port)
        connection.send(request(method, path, "Connection: close\r\n", length: 1 << 20))
        let isAnswered = connection.trickle(every: .milliseconds(20))
        defer { isAnswered.set() }
        return await connection.received()
    }

    private static let uploadAddress = "/v1/assets/\(String(repeating: "0", count: 64))"

    @Test(
        "A body that comes too slowly gets 408",
        arguments: [("POST", "/v1/exports"), ("PUT", uploadAddress), ("PUT", "/v1/drafts/d")])
    func bodyRate(_ method: String, _ path: String) async throws {
        let change = { (limits: inout RequestLimits) in
            limits.bodyPause = .seconds(2)
            limits.bodyRate = 1 << 30
        }
        try await serve(change) { farm, port in
            let answer = try await trickled(method, path, port)
            #expect(status(answer) == "408")
            #expect(answer.contains("the request's body comes slower than 1073741824 bytes a second"), "\(answer)")
        }
    }

    @Test("A document that takes too long in all gets 408, while an upload may go on")
    func documentTime() async throws {
        try await serve({ $0.documentTime = .milliseconds(300) }) { farm, port in
            // The upload began earlier, so it has already taken longer than the limit of a document.
            let uploads = try await stalledUploads(1, farm, port)
            let answer = try await trickled("POST", "/v1/exports", port)
            #expect(status(answer) == "408")
            #expect(answer.contains("the request's body takes longer than 0.3 seconds"), "\(answer)")
            uploads[0].send(String(repeating: "d", count: 97))
            // The upload is complete now; its bytes do not have the hash of its name.
            #expect(status(await uploads[0].received(until: "}")) == "422")
        }
    }

    @Test(
        "An upload that takes too long in all gets 408, and nothing of it is left",
        arguments: [("PUT", uploadAddress), ("POST", "RECORDING/clips")])
    func uploadTime(_ method: String, _ path: String) async throws {
        try await serve({ $0.uploadTime = .milliseconds(300) }) { farm, port in
            let made = try await farm.send(.post, "/v1/recordings", body: "{}")
            let address = path.replacing("RECORDING", with: try #require(made.headers[.location]))
            let answer = try await trickled(method, address, port)
            #expect(status(answer) == "408")
            #expect(answer.contains("an upload: 0.3 seconds"), "\(answer)")
            let folder = farm.directory.path + "/assets/tmp"
            try await until { try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty }
        }
    }

    @Test("A client that does not read its answer loses its connection")
    func answerPause() async throws {
        let change = { (limits: inout RequestLimits) in
            limits.answerPause = .milliseconds(100)
            limits.connectionsPerAddress = 1
            limits.headTime = .seconds(600)
        }
        try await serve(change) { farm, port in
            let hash = String(repeating: "a", count: 64)
            let folder = farm.directory.path + "/assets/1/aa"
            let byteCount = 256 << 20
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            #expect(FileManager.default.createFile(atPath: "\(folder)/\(hash)", contents: nil))
            try #require(truncate("\(folder)/\(hash)", byteCount) == 0)
            try await farm.store.putAsset(
                Asset(hash: hash, byteCount: Int64(byteCount), name: "zeros", createdAt: Date()), tenant: 1)
            // One connection is accepted at a time, so the next only when this one has been closed.
            let greedy = try RawConnection(port: port)
            greedy.send(request("GET", "/v1/assets/\(hash)"))
            let start = await greedy.received(until: "HTTP/1.1 200")
            while status(try await refusal(port)) != "200" { try Task.checkCancellation() }
            let rest = await greedy.received()
            #expect(start.utf8.count + rest.utf8.count < byteCount)
        }
    }

    @Test("A client that waits for 100 Continue gets it once its request may have a body")
    func expectation() async throws {
        try await serve { _, port in
            let connection = try RawConnection(port: port)
            let hash = ContentHash.of("x".utf8)
            connection.send(request("PUT", "/v1/assets/\(hash)", "Expect: 100-continue\r\nConnection: close\r\n", length: 1))
            #expect(await connection.received(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
            connection.send("x")
            #expect(status(await connection.received()) == "201")
        }
    }

    @Test("An HTTP/1.0 connection is closed after its answer", .timeLimit(.minutes(1)))
    func oldVersion() async throws {
        try await serve { _, port in
            let connection = try RawConnection(port: port)
            connection.send("GET /healthz HTTP/1.0\r\n\r\n")
            #expect(status(await connection.received()) == "200")
        }
    }

    @Test("An HTTP/1.1 request without a host, or with two, is refused", arguments: ["", "Host: a\r\nHost: b\r\n"])
    func host(_ fields: String) async throws {
        try await serve { _, port in
            let connection = try RawConnection(port: port)
            connection.send("GET /healthz HTTP/1.1\r\n\(fields)\r\n")
            let answer = await connection.received()
            #expect(status(answer) == "400" && answer.contains("one Host field"), "\(answer)")
        }
    }

    @Test("A connection that stays idle after its answer is closed")
    func idleTime() async throws {
        try await serve({ $0.idleTime = .milliseconds(50) }) { _, port in
            let connection = try RawConnection(port: port)
            connection.send(request("GET", "/healthz"))
            let answer = await connection.received()
            #expect(status(answer) == "200")
            #expect(answer.components(separatedBy: "HTTP/1.1").count == 2)
        }
    }

    @Test("A client that goes on sending a body after its answer loses its connection")
    func lingerTime() async throws {
        try await serve({ $0.lingerTime = .milliseconds(50) }) { _, port in
            let connection = try RawConnection(port: port)
            connection.send(request("POST", "/v1/exports", as: "guess", length: 1000) + "{")
            #expect(status(await connection.received()) == "401")
        }
    }

    @Test("Hundreds of half-sent requests are closed, and complete ones are answered meanwhile")
    func halfSentRequests() async throws {
        let count = 400
        let change = { (limits: inout RequestLimits) in
            limits.headTime = .seconds(3)
            limits.connectionsPerAddress = count + 1
        }
        try await serve(change) { _, port in
            let half = try (0..<count).map { _ in try RawConnection(port: port) }
            for connection in half { connection.send("GET /healthz HTTP/1.1\r\nHost: a\r\nX-") }
            let whole = try RawConnection(port: port)
            whole.send(request("GET", "/v1/exports"))
            #expect(status(await whole.received(until: "\"items\"")) == "200")
            for connection in half { #expect(status(await connection.received()) == "408") }
        }
    }

    // MARK: Numbers

    @Test("One connection too many of an address gets 429, and the next is accepted once one has closed")
    func connectionsPerAddress() async throws {
        let change = { (limits: inout RequestLimits) in
            limits.connectionsPerAddress = 2
            limits.headTime = .seconds(600)
        }
        try await serve(change) { _, port in
            var held = try await connections(2, to: port)
            let refused = try await refusal(port)
            #expect(status(refused) == "429")
            #expect(refused.contains("retry-after: 1"))
            #expect(held.count == 2)
            held = []
            // The server notices the closed connections a moment later.
            while status(try await refusal(port)) != "200" { try await nextLook() }
        }
    }

    @Test("One connection too many for the server gets 503")
    func connections() async throws {
        let change = { (limits: inout RequestLimits) in
            limits.connections = 2
            limits.headTime = .seconds(600)
        }
        try await serve(change) { _, port in
            let held = try await connections(2, to: port)
            let refused = try await refusal(port)
            #expect(status(refused) == "503")
            #expect(refused.contains("retry-after: 2"))
            withExtendedLifetime(held) {}
        }
    }

    /// Connections that the server has answered and that stay open.
    private func connections(_ count: Int, to port: Int) async throws -> [RawConnection] {
        var connections: [RawConnection] = []
        for _ in 0..<count {
            let connection = try RawConnection(port: port)
            connection.send(request("GET", "/healthz"))
            _ = await connection.received(until: "ok")
            connections.append(connection)
        }
        return connections
    }

    private func refusal(_ port: Int) async throws -> String {
        let connection = try RawConnection(port: port)
        connection.send(request("GET", "/healthz"))
        return await connection.received(until: "}")
    }

    @Test("One request per second too many of a token is refused, and other tokens are answered")
    func requestsPerSecond() async throws {
        var options = Farm.quickOptions
        options.requests.requestsPerSecondPerToken = 1
        let farm = try await Farm(options: options)
        let router = farm.service.router()
        var answers: [Answer] = []
        while answers.count < 1000, answers.last?.status != .tooManyRequests {
            answers.append(
                try await Answer(of: router, to: .get, "/v1/exports", headers: [.authorization: "Bearer b-1"]))
        }
        #expect(answers.count > 10)
        #expect(answers.last?.status == .tooManyRequests)
        #expect(answers.last?.headers[.retryAfter] == "1")
        #expect(answers.last?.fault?.code == .tooManyRequests)
        #expect(answers.last?.fault?.detail == "this token sends too many requests; try again in 1 s")
        let other = try await Answer(of: router, to: .get, "/v1/exports", headers: [.authorization: "Bearer o-1"])
        #expect(other.status == .ok)
    }

    @Test("One request per second too many of an address is refused with any token, but /healthz is answered")
    func requestsPerSecondOfAnAddress() async throws {
        try await serve({ $0.requestsPerSecondPerAddress = 1 }) { _, port in
            let connection = try RawConnection(port: port)
            var answer = ""
            var count = 0
            while status(answer) != "429", count < 1000 {
                connection.send(request("GET", "/v1/exports", as: "guess \(count)"))
                answer = await connection.received(until: "}")
                count += 1
            }
            #expect(count > 10 && count < 1000)
            connection.send(request("GET", "/healthz"))
            #expect(status(await connection.received(until: "ok")) == "200")
        }
    }

    @Test("One running request too many of a token is refused, and other tokens are answered")
    func requestsAtOnce() async throws {
        try await serve({ $0.requestsAtOncePerToken = 2 }) { farm, port in
            let stalled = try await stalledUploads(2, farm, port)
            let answer = try await farm.live(port, "GET", "/v1/exports")
            #expect(status(answer) == "429")
            #expect(answer.contains("Retry-After: 1"))
            let other = try await farm.live(port, "GET", "/v1/exports", as: "o-1")
            #expect(status(other) == "200")
            #expect(stalled.count == 2)
        }
    }

    /// Uploads that have begun and then send nothing.
    private func stalledUploads(
        _ count: Int, _ farm: Farm, _ port: Int, as token: String = "b-1"
    ) async throws -> [RawConnection] {
        let folder = farm.directory.path + "/assets/tmp"
        let before = try FileManager.default.contentsOfDirectory(atPath: folder).count
        let connections = try (0..<count).map { _ in try RawConnection(port: port) }
        for connection in connections {
            connection.send(request("PUT", "/v1/assets/\(String(repeating: "0", count: 64))", as: token, length: 100) + "abc")
        }
        while try FileManager.default.contentsOfDirectory(atPath: folder).count < before + count { try await nextLook() }
        return connections
    }

    @Test("One upload too many of a tenant or of the server is refused, and broken uploads leave nothing")
    func uploads() async throws {
        let change = { (limits: inout RequestLimits) in
            limits.uploads = 3
            limits.uploadsPerTenant = 2
        }
        try await serve(change) { farm, port in
            var stalled = try await stalledUploads(2, farm, port)
            let bytes = "abc"
            let address = "/v1/assets/\(ContentHash.of(Array(bytes.utf8)))"
            let answer1 = try await farm.live(port, "PUT", address, body: bytes)
            #expect(status(answer1) == "429")
            let answer2 = try await farm.live(port, "PUT", address, as: "o-1", body: bytes)
            #expect(status(answer2) == "201")
            stalled += try await stalledUploads(1, farm, port, as: "o-1")
            let answer3 = try await farm.live(port, "PUT", address, as: "o-1", body: bytes)
            #expect(status(answer3) == "503")
            stalled = []
            while status(try await farm.live(port, "PUT", address, body: bytes)) != "201" { try await nextLook() }
            let folder = farm.directory.path + "/assets/tmp"
            while try !FileManager.default.contentsOfDirectory(atPath: folder).isEmpty { try await nextLook() }
        }
    }

    @Test("One upload too many for the server is refused to every tenant, also to one without uploads")
    func uploadsInAll() async throws {
        let change = { (limits: inout RequestLimits) in
            limits.uploads = 4
            limits.uploadsPerTenant = 3
        }
        try await serve(change) { farm, port in
            let address = "/v1/assets/\(ContentHash.of(Array("abc".utf8)))"
            var stalled = [try await stalledUploads(2, farm, port), try await stalledUploads(2, farm, port, as: "o-1")]
            // Two tenants are each below their own limit, and the third has no upload.
            for token in ["b-1", "o-1", "a-1"] {
                let refused = try await farm.live(port, "PUT", address, as: token, body: "abc")
                #expect(status(refused) == "503", "\(token)")
                #expect(refused.contains("Retry-After: 2"))
                #expect(refused.contains("the coordinator takes 4 uploads at a time; try again in a moment"))
            }
            stalled.removeLast()
            while status(try await farm.live(port, "PUT", address, as: "a-1", body: "abc")) != "201" {
                try Task.checkCancellation()
            }
            #expect(stalled.count == 1)
        }
    }

    /// Sends a body whole, or in chunks of which the last has one byte.
    private func post(_ body: String, as token: String, isChunked: Bool, _ port: Int) async throws -> String {
        let connection = try RawConnection(port: port)
        let close = "Connection: close\r\n"
        if isChunked {
            let first = String(body.dropLast())
            let chunks = "\(String(first.utf8.count, radix: 16))\r\n\(first)\r\n1\r\n\(body.suffix(1))\r\n0\r\n\r\n"
            connection.send(request("POST", "/v1/exports", as: token, close + "Transfer-Encoding: chunked\r\n") + chunks)
        } else {
            connection.send(request("POST", "/v1/exports", as: token, close, length: body.utf8.count) + body)
        }
        return await connection.received(until: "}")
    }

    @Test("One byte of bodies too many of a tenant or of the server is refused", arguments: [false, true])
    func bodyMemory(_ isChunked: Bool) async throws {
        let body = "{\"document\":\(Farm.draft)}"
        let size = body.utf8.count
        let change = { (limits: inout RequestLimits) in
            limits.bodyBytes = 3 * size
            limits.bodyBytesPerTenant = 2 * size
        }
        try await serve(change) { farm, port in
            let bodies = farm.service.bodies
            /// Begins a request that gives its body's length and does not send the body.
            func stall(_ token: String) async throws -> RawConnection {
                let before = bodies.taken
                let connection = try RawConnection(port: port)
                connection.send(request("POST", "/v1/exports", as: token, length: size) + "{")
                try await until { bodies.taken >= before + size }
                return connection
            }
            var stalled = [try await stall("b-1")]
            let own = try await post(body + " ", as: "b-1", isChunked: isChunked, port)
            #expect(status(own) == "429")
            #expect(own.contains("Retry-After: 1"))
            #expect(own.contains("a tenant may have \(2 * size) bytes of request bodies at a time; try again when one has ended"))
            let fitting = try await post(body, as: "b-1", isChunked: isChunked, port)
            #expect(status(fitting) == "201")
            try await until { bodies.taken <= size }
            stalled.append(try await stall("o-1"))
            let all = try await post(body + " ", as: "a-1", isChunked: isChunked, port)
            #expect(status(all) == "503")
            #expect(all.contains("Retry-After: 2"))
            let fittingOther = try await post(body, as: "a-1", isChunked: isChunked, port)
            #expect(status(fittingOther) == "201")
            stalled = []
            try await until { bodies.taken == 0 }
            let freed = try await post(body + " ", as: "b-1", isChunked: isChunked, port)
            #expect(status(freed) == "201")
        }
    }

    @Test("Stalled uploads do not hold a thread each")
    func threadsOfUploads() async throws {
        let change = { (limits: inout RequestLimits) in
            limits.uploads = 200
            limits.uploadsPerTenant = 200
            limits.requestsAtOncePerToken = 200
        }
        try await serve(change) { farm, port in
            let threads = { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count }
            let before = try threads()
            let stalled = try await stalledUploads(150, farm, port)
            // Other tests of this process start a few threads, too.
            let during = try threads()
            #expect(during < before + 100)
            let answer4 = try await farm.live(port, "GET", "/v1/exports")
            #expect(status(answer4) == "200")
            #expect(stalled.count == 150)
        }
    }

    @Test("One event stream too many of a token is refused")
    func streams() async throws {
        try await serve({ $0.streamsPerToken = 1 }) { farm, port in
            let export = try await farm.submit()
            var open: [RawConnection] = [try RawConnection(port: port)]
            open[0].send(request("GET", "/v1/exports/\(export.id)/events"))
            #expect(status(await open[0].received(until: "event: export")) == "200")
            let answer5 = try await farm.live(port, "GET", "/v1/exports/\(export.id)/events")
            #expect(status(answer5) == "429")
            // A HEAD request opens no stream.
            let head = try RawConnection(port: port)
            head.send(request("HEAD", "/v1/exports/\(export.id)/events", as: "r-1"))
            #expect(status(await head.received(until: "\r\n\r\n")) == "200")
            let other = try RawConnection(port: port)
            other.send(request("GET", "/v1/exports/\(export.id)/events", as: "r-1"))
            #expect(status(await other.received(until: "event: export")) == "200")
            open = []
            _ = try await farm.store.cancel(export.id)
        }
    }

    @Test("One event stream too many for the server is refused")
    func streamsInAll() async throws {
        try await serve({ $0.streams = 1 }) { farm, port in
            let export = try await farm.submit()
            let open = try RawConnection(port: port)
            open.send(request("GET", "/v1/exports/\(export.id)/events"))
            #expect(status(await open.received(until: "event: export")) == "200")
            let refused = try await farm.live(port, "GET", "/v1/exports/\(export.id)/events", as: "r-1")
            #expect(status(refused) == "503")
            #expect(refused.contains("Retry-After: 2"))
            _ = try await farm.store.cancel(export.id)
        }
    }

    @Test("A HEAD request for an event stream gets no length and not a byte of a body")
    func headOfEvents() async throws {
        try await serve { farm, port in
            let export = try await farm.submit()
            let connection = try RawConnection(port: port)
            connection.send(request("HEAD", "/v1/exports/\(export.id)/events"))
            let head = await connection.received(until: "\r\n\r\n").lowercased()
            #expect(head.hasPrefix("http/1.1 200 ok\r\n"))
            #expect(head.contains("\r\ncontent-type: text/event-stream\r\n"))
            #expect(head.contains("\r\ntransfer-encoding: chunked\r\n"))
            #expect(!head.contains("content-length"))
            #expect(head.components(separatedBy: "\r\n\r\n").count == 2 && head.hasSuffix("\r\n\r\n"))
            // The next bytes are the complete next answer.
            connection.send(request("GET", "/healthz"))
            #expect(await connection.received(until: "ok").hasPrefix("HTTP/1.1 200 OK\r\n"))
            _ = try await farm.store.cancel(export.id)
        }
    }
}

extension Farm {
    /// Sends one complete request over the network.
    func live(
        _ port: Int, _ method: String, _ path: String, as token: String = "b-1", body: String? = nil
    ) async throws -> String {
        let connection = try RawConnection(port: port)
        let length = body.map { "Content-Length: \($0.utf8.count)\r\n" } ?? ""
        connection.send(
            "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n"
                + "Connection: close\r\n\(length)\r\n\(body ?? "")")
        return await connection.received(until: "}")
    }
}
