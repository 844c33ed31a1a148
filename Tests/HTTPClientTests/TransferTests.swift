import Foundation
import HTTPClient
import Hummingbird
import NIOCore
import Synchronization
import TestServer
import TestSupport
import Testing

/// Requests by libcurl against a server of another library.
@Suite("An HTTP transfer", .timeLimit(.minutes(1)))
struct TransferTests {
    /// Runs `work` against a server whose routes `routes` adds.
    private func serve(
        _ routes: (Router<BasicRequestContext>) -> Void, _ work: @Sendable (_ address: String) async throws -> Void
    ) async throws {
        let router = Router()
        routes(router)
        try await serving(router) { port in try await work("http://127.0.0.1:\(port)") }
    }

    /// A server that answers with the method, the named header and the body of the request.
    private func echo(_ work: @Sendable (_ address: String) async throws -> Void) async throws {
        try await serve(
            { router in
                for method in [HTTPRequest.Method.get, .post, .put, .delete] {
                    router.on("/echo", method: method) { request, _ in
                        let body = try await request.body.collect(upTo: 64 << 20)
                        let mark = request.headers[.init("Mark") ?? .accept] ?? ""
                        let length = request.headers[.contentLength] ?? "none"
                        let text = "\(request.method.rawValue) \(mark) \(length) "
                        return Response(
                            status: .created, headers: [.eTag: "\"a\""],
                            body: ResponseBody(byteBuffer: ByteBuffer(string: text + String(buffer: body))))
                    }
                }
            }, work)
    }

    private func text(_ response: IncomingResponse) async throws -> String {
        String(decoding: try await response.body.collect(upTo: 64 << 20), as: UTF8.self)
    }

    @Test("Method, headers and a body in memory arrive, and so do status, headers and body of the answer")
    func exchange() async throws {
        try await echo { address in
            let connections = Connections()
            let request = OutgoingRequest("POST", address + "/echo", headers: [("Mark", "m")], body: .bytes(Array("hello".utf8)))
            let response = try await connections.execute(request)
            #expect(response.status == 201)
            #expect(response.header("etag") == "\"a\"")
            #expect(try await text(response) == "POST m 5 hello")
        }
    }

    @Test("A method without a body says so", arguments: [("GET", "none"), ("DELETE", "none"), ("POST", "0"), ("PUT", "0")])
    func noBody(_ method: String, _ length: String) async throws {
        try await echo { address in
            let response = try await Connections().execute(OutgoingRequest(method, address + "/echo"))
            #expect(try await text(response) == "\(method)  \(length) ")
        }
    }

    @Test("A file larger than every buffer arrives whole")
    func file() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("upload.bin")
        let bytes = (0..<20_000_003).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let received = Mutex(0)
        let differs = Mutex(false)
        try await serve({ router in
            router.put("/file") { request, _ in
                for try await buffer in request.body {
                    let start = received.withLock { $0 }
                    if !buffer.readableBytesView.elementsEqual(bytes[start..<min(bytes.count, start + buffer.readableBytes)]) {
                        differs.withLock { $0 = true }
                    }
                    received.withLock { $0 += buffer.readableBytes }
                }
                return "done"
            }
        }) { address in
            let body = OutgoingRequest.Body.file(path: path, byteCount: Int64(bytes.count))
            let response = try await Connections().execute(OutgoingRequest("PUT", address + "/file", body: body))
            #expect(try await text(response) == "done")
        }
        #expect(received.withLock { $0 } == bytes.count)
        #expect(differs.withLock { $0 } == false)
    }

    @Test("A file that is not there, or shorter than announced, fails the transfer with its name", arguments: [false, true])
    func unreadableFile(_ exists: Bool) async throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("upload.bin")
        if exists { try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path)) }
        try await echo { address in
            let request = OutgoingRequest("PUT", address + "/echo", body: .file(path: path, byteCount: 10))
            let error = await #expect(throws: TransferError.self) { try await Connections().execute(request) }
            #expect(error?.code == .unreadableFile)
            let words = exists ? "became shorter while it was sent" : "cannot be read: No such file or directory"
            #expect(error?.message == "'\(path)' \(words)")
        }
    }

    @Test("A large answer arrives whole")
    func large() async throws {
        let chunk = ByteBuffer(repeating: 7, count: 1 << 20)
        try await serve({ router in
            router.get("/large") { _, _ in
                Response(
                    status: .ok,
                    body: ResponseBody { writer in
                        for _ in 0..<64 { try await writer.write(chunk) }
                        try await writer.finish(nil)
                    })
            }
        }) { address in
            let response = try await Connections().execute(OutgoingRequest("GET", address + "/large"))
            #expect(try await response.body.collect(upTo: 65 << 20).count == 64 << 20)
        }
    }

    @Test("An answer that is longer than is wanted is refused with the limit")
    func tooLong() async throws {
        try await echo { address in
            let response = try await Connections().execute(OutgoingRequest("GET", address + "/echo"))
            let error = await #expect(throws: TransferError.self) { try await response.body.collect(upTo: 3) }
            #expect(error?.code == .tooLarge && error?.message == "the answer has more than 3 bytes")
        }
    }

    @Test("A connection that ends without a fault and without an answer is reported as closed")
    func noAnswer() async throws {
        let transfer = Transfer(OutgoingRequest("GET", "http://127.0.0.1/"))
        let answer = Task { try await transfer.response().status }
        transfer.end(nil)
        let error = await #expect(throws: TransferError.self) { try await answer.value }
        #expect(error?.code == .connectionClosed && error?.message == "the connection ended without an answer")
    }

    @Test("The thread that receives waits for the reader once eight chunks are waiting")
    func slowReader() async throws {
        let transfer = Transfer(OutgoingRequest("GET", "http://127.0.0.1/"))
        let order = Mutex<[String]>([])
        let (heard, hear) = AsyncStream.makeStream(of: Void.self)
        Thread.detachNewThread {
            for number in 0...Transfer.waitingChunks {
                _ = [UInt8(number)].withUnsafeBytes { transfer.hear(body: $0) }
                order.withLock { $0.append("heard") }
                hear.yield()
            }
        }
        var signals = heard.makeAsyncIterator()
        for _ in 0..<Transfer.waitingChunks { await signals.next() }
        order.withLock { $0.append("read") }
        #expect(try await transfer.nextChunk() == [0])
        await signals.next()
        let before = Array(repeating: "heard", count: Transfer.waitingChunks)
        #expect(order.withLock { $0 } == before + ["read", "heard"])
    }

    @Test("A reader that stops ends the transfer")
    func unread() async throws {
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        try await serve({ router in
            router.get("/endless") { _, _ in
                Response(
                    status: .ok,
                    body: ResponseBody { writer in
                        defer { end.finish() }
                        while true { try await writer.write(ByteBuffer(repeating: 1, count: 1 << 16)) }
                    })
            }
        }) { address in
            do {
                let response = try await Connections().execute(OutgoingRequest("GET", address + "/endless"))
                for try await _ in response.body { break }
            }
            for await _ in ended {}
        }
    }

    /// A server whose route `/silent` answers only when the test is over.
    private func silence(
        arrived: AsyncStream<Void>.Continuation? = nil, _ work: @Sendable (_ address: String) async throws -> Void
    ) async throws {
        let (over, finish) = AsyncStream.makeStream(of: Void.self)
        try await serve({ router in
            router.get("/silent") { _, _ -> String in
                arrived?.finish()
                for await _ in over {}
                return ""
            }
        }) { address in
            defer { finish.finish() }
            try await work(address)
        }
    }

    @Test("A cancelled task gets a cancellation at once, while the server is silent")
    func cancellation() async throws {
        let (arrived, arrive) = AsyncStream.makeStream(of: Void.self)
        try await silence(arrived: arrive) { address in
            let task = Task { try await Connections().execute(OutgoingRequest("GET", address + "/silent")) }
            for await _ in arrived {}
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test("Each failure of a connection has its own code")
    func failures() async throws {
        @Sendable func failure(
            _ request: OutgoingRequest, _ connections: Connections = Connections()
        ) async -> TransferError? {
            do {
                _ = try await connections.execute(request)
                return nil
            } catch {
                return error as? TransferError
            }
        }
        @Sendable func code(_ request: OutgoingRequest) async -> TransferError.Code? { await failure(request)?.code }
        #expect(await code(OutgoingRequest("GET", "http://127.0.0.1:1/")) == .connectionRefused)
        #expect(await code(OutgoingRequest("GET", "http://no-such-host.invalid/")) == .noSuchHost)
        #expect(await code(OutgoingRequest("GET", "file:///etc/hostname")) == .invalidRequest)
        let smuggled = await failure(OutgoingRequest("GET", "http://127.0.0.1:1/", headers: [("A", "b\r\nC: d")]))
        #expect(smuggled?.code == .invalidRequest && smuggled?.message == "the header 'A' contains a control character")
        try await silence { address in
            #expect(await code(OutgoingRequest("GET", address + "/silent", limit: .milliseconds(300))) == .timedOut)
            #expect(
                await code(OutgoingRequest("GET", address.replacing("http:", with: "https:") + "/silent")) == .notTLS)
        }
    }

    @Test("Transfers that follow each other use one connection")
    func reuse() async throws {
        try await serve({ router in
            router.get("/port") { _, _ in "ok" }
        }) { address in
            let connections = Connections()
            for _ in 0..<5 {
                let response = try await connections.execute(OutgoingRequest("GET", address + "/port"))
                #expect(try await text(response) == "ok")
                #expect(connections.idleCount == 1)
            }
        }
    }
}
