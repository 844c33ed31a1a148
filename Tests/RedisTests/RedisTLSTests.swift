import Redis
import TestSupport
import Testing

/// A server that speaks TLS on a port of its own, beside the one that speaks it not.
@Suite(.timeLimit(.minutes(2))) struct RedisTLSTests {
    private let certificates: TestCertificates
    private let server: RedisServer
    private let port: Int

    init() async throws {
        certificates = try await TestCertificates()
        let files = try await certificates.make("server", for: "IP:127.0.0.1,DNS:localhost")
        port = try RedisServer.freePort()
        server = try await RedisServer.start([
            "--tls-port \(port)", "--tls-cert-file '\(files.certificate)'", "--tls-key-file '\(files.key)'",
            "--tls-ca-cert-file '\(certificates.authority)'", "--tls-auth-clients optional",
        ])
    }

    private func client(_ host: String = "127.0.0.1", _ options: String? = nil) throws -> RedisClient {
        RedisClient(
            try RedisConfiguration(
                url: "rediss://\(host):\(port)" + (options ?? "?sslrootcert=\(certificates.authority)")))
    }

    @Test("everything works by TLS as without it, over one connection")
    func everything() async throws {
        let client = try client()
        #expect(try await client.send(.set("k", "v")))
        let before = try await server.ask(["INFO", "stats"]).connections
        // More than a record of TLS, and more than the buffers of a socket.
        let large = (0..<12_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        #expect(try await client.send(.set("large", large)))
        #expect(try await client.send(.get("large")) == large)
        let answers = try await client.pipeline((0..<5000).map { RedisCommand("SET", "n\($0)", $0) })
        #expect(answers.count == 5000)
        #expect(try await client.send(.get("n4999")) == Array("4999".utf8))
        #expect(try await server.ask(["INFO", "stats"]).connections == before + 1, "redis-cli's own")
        #expect(try await RedisClient(try RedisConfiguration(url: server.url)).send(.get("k")) == Array("v".utf8))
    }

    @Test("a blocked read by TLS returns when an entry arrives, can be cancelled, and ends when nothing comes")
    func blocking() async throws {
        let client = try client("localhost")
        try await client.ensureGroup("workers", on: "jobs")
        let reading = RedisRequest<[String: [RedisStreamEntry]]>.xreadgroup(
            ["jobs"], group: "workers", consumer: "anna", count: 5, blocking: .forever)
        async let read = client.send(reading)
        try await client.waitForBlockedClients(1)
        let id = try await client.send(.xadd("jobs", [.init("job", 1)]))
        #expect(try await read["jobs"]?.map(\.id) == [id])
        let waiting = Task { try await client.send(reading) }
        try await client.waitForBlockedClients(1)
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        let vain = RedisCommand("BLPOP", "list", "0.01", blocking: .atMost(.milliseconds(10)))
        #expect(try await client.send(vain) == .null)
    }

    @Test("a server that dies is noticed, and the next command after its return works")
    func death() async throws {
        let client = try client()
        try await client.send(.ping)
        try await server.kill()
        #expect(await redisError { try await client.send(.ping) } != nil)
        try await server.restart()
        while await redisError({ try await client.send(.ping) }) != nil { try await nextLook() }
    }

    @Test("a connection that the server closes during a command is told from a server that is away")
    func closed() async throws {
        let client = try client()
        async let blocked = redisError { try await client.send(RedisCommand("BLPOP", "list", 0, blocking: .forever)) }
        try await client.waitForBlockedClients(1)
        _ = try await server.ask(["CLIENT", "KILL", "TYPE", "normal"])
        let error = await blocked
        #expect(error?.code == .connectionLost)
        #expect(
            error?.message.hasSuffix(" was lost (the server closed the connection); the command may have been executed")
                == true, "\(String(describing: error))")
    }

    @Test("a certificate of another authority or for another host is refused, and nothing is sent")
    func distrust() async throws {
        let others = try await TestCertificates()
        let stranger = await redisError { try await client("127.0.0.1", "?sslrootcert=\(others.authority)").send(.ping) }
        #expect(stranger?.code == .connectionFailed && stranger?.mayHaveExecuted == false)
        #expect(stranger?.message.contains("its certificate is not trusted") == true, "\(String(describing: stranger))")
        #expect(stranger?.message.hasSuffix("); correct the certificates or the address") == true)
        let machine = await redisError { try await client("127.0.0.1", "").send(.ping) }
        #expect(machine?.message.contains("its certificate is not trusted") == true)
        // The server's certificate does not have this address of the same machine.
        let host = await redisError { try await client("127.0.0.2").send(.ping) }
        #expect(host?.code == .connectionFailed)
        let missing = await redisError { try await client("127.0.0.1", "?sslrootcert=/nowhere.pem").send(.ping) }
        #expect(missing?.message.contains("/nowhere.pem") == true)
    }

    @Test("the port without TLS is told from the one with it")
    func plainPort() async throws {
        let options = "?sslrootcert=\(certificates.authority)"
        let secure = RedisClient(try RedisConfiguration(url: "rediss://127.0.0.1:\(server.port)\(options)"))
        #expect(await redisError { try await secure.send(.ping) }?.code == .connectionFailed)
        let plain = RedisClient(try RedisConfiguration(url: "redis://127.0.0.1:\(port)"))
        #expect(await redisError { try await plain.send(.ping) } != nil)
    }

    @Test("a server that asks for the client's certificate gets it")
    func clientCertificate() async throws {
        _ = try await server.ask(["CONFIG", "SET", "tls-auth-clients", "yes"])
        #expect(await redisError { try await client().send(.ping) } != nil)
        let mine = try await certificates.make("client", for: "DNS:worker.example")
        let options = "?sslrootcert=\(certificates.authority)&sslcert=\(mine.certificate)&sslkey=\(mine.key)"
        try await client("127.0.0.1", options).send(.ping)
        let other = try await certificates.make("other", for: "DNS:worker.example")
        let mixed = "?sslrootcert=\(certificates.authority)&sslcert=\(mine.certificate)&sslkey=\(other.key)"
        let error = await redisError { try await client("127.0.0.1", mixed).send(.ping) }
        #expect(error?.message.contains("does not go with the key") == true, "\(String(describing: error))")
    }
}

extension String {
    /// The number of connections that a server has got so far, of its own statistics.
    fileprivate var connections: Int {
        let line = split(whereSeparator: \.isNewline).first { $0.hasPrefix("total_connections_received:") }
        return line.flatMap { Int($0.drop { $0 != ":" }.dropFirst()) } ?? -1
    }
}
