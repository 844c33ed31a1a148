import HTTPAPI
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import Testing

@Suite("The address of a client")
struct CountedAddressTests {
    @Test(
        "The limits count an IPv4 address, or the first 64 bits of an IPv6 address",
        arguments: [
            ("192.0.2.7", "192.0.2.7"), ("192.0.2.8", "192.0.2.8"), ("2001:db8:0:7::1", "2001:db8:0:7::/64"),
            ("2001:db8:0:7:ffff:ffff:ffff:ffff", "2001:db8:0:7::/64"), ("2001:db8:0:8::1", "2001:db8:0:8::/64"),
            ("::ffff:192.0.2.7", "192.0.2.7"), ("::ffff:192.0.2.8", "192.0.2.8"), ("::1", "0:0:0:0::/64"),
        ])
    func name(_ address: String, _ counted: String) throws {
        #expect(try SocketAddress(ipAddress: address, port: 7788).countedAddress == counted)
    }

    @Test("A connection that is not over a network has no address for the limits")
    func local() throws {
        #expect(try SocketAddress(unixDomainSocketPath: "/tmp/socket").countedAddress == nil)
    }

    @Test("Addresses of one 64-bit network share the limit on connections, others do not")
    func connections() throws {
        let connections = Slots(100, perHolder: 2)
        /// Opens a connection, and returns the answer that the guard gives by itself.
        func open(_ address: String) throws -> (EmbeddedChannel, String) {
            let channel = EmbeddedChannel()
            channel.remoteAddress = try SocketAddress(ipAddress: address, port: 1)
            let handler = ConnectionGuard(RequestLimits(), connections: connections, now: .now())
            try channel.pipeline.syncOperations.addHandler(handler)
            channel.pipeline.fireChannelActive()
            guard case .byteBuffer(let said)? = try channel.readOutbound(as: IOData.self) else { return (channel, "") }
            return (channel, String(buffer: said))
        }
        var held = [try open("2001:db8::1"), try open("2001:db8::2:0:0:1")]
        #expect(held.allSatisfy { $0.1.isEmpty })
        let refused = try open("2001:db8::3")
        #expect(refused.1.hasPrefix("HTTP/1.1 429 "))
        for address in ["2001:db8:0:1::1", "::ffff:192.0.2.1", "::ffff:192.0.2.2", "192.0.2.1"] {
            held.append(try open(address))
            #expect(held.last?.1 == "", "\(address)")
        }
        let second = try open("::ffff:192.0.2.1")
        #expect(second.1.hasPrefix("HTTP/1.1 429 "))
        #expect(connections.taken == 6)
    }

    @Test("Addresses of one 64-bit network share the limit on requests per second, others do not")
    func requests() async throws {
        var options = Farm.quickOptions
        options.requests.requestsPerSecondPerAddress = 1
        let farm = try await Farm(options: options)
        let responder = farm.service.router().buildResponder()
        func status(_ address: String) async throws -> HTTPResponse.Status {
            let channel = NIOAsyncTestingChannel()
            channel.remoteAddress = try SocketAddress(ipAddress: address, port: 1)
            let context = FarmRequestContext(
                source: ApplicationRequestContextSource(channel: channel, logger: Logger(label: "test")))
            let head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/v1/exports")
            let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
            return try await responder.respond(to: request, context: context).status
        }
        var count = 0
        while try await status("2001:db8::\(String(count, radix: 16))") != .tooManyRequests, count < 1000 { count += 1 }
        #expect(count >= 10 && count < 1000)
        for address in ["2001:db8:0:1::1", "::ffff:192.0.2.1", "192.0.2.2"] {
            #expect(try await status(address) == .unauthorized, "\(address)")
        }
    }
}
