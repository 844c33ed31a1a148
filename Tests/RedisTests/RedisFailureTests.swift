import Redis
import TestSupport
import Testing

/// Servers that are absent, refuse, are silent or die.
@Suite(.timeLimit(.minutes(2))) struct RedisFailureTests {
    @Test("the error for a port without a server names the port, says what to do, and that nothing was sent")
    func wrongPort() async throws {
        let port = try RedisServer.freePort()
        let client = RedisClient(RedisConfiguration(address: .tcp(host: "127.0.0.1", port: port)))
        let error = await redisError { try await client.send(.ping) }
        #expect(error?.code == .connectionFailed)
        #expect(error?.mayHaveExecuted == false)
        #expect(
            error?.description
                == "PING: cannot reach Redis at 127.0.0.1:\(port) (Connection refused); start redis-server there or correct the address"
        )
        let socket = RedisClient(try RedisConfiguration(url: "unix:///nowhere/redis.sock"))
        let missing = await redisError { try await socket.send(.ping) }
        #expect(missing?.code == .connectionFailed)
        #expect(missing?.message.contains("/nowhere/redis.sock") == true)
        let name = RedisClient(RedisConfiguration(address: .tcp(host: "no-such-host.invalid", port: 1)))
        #expect(await redisError { try await name.send(.ping) }?.code == .connectionFailed)
    }

    @Test("a server can be reached by its socket file, and databases are separate")
    func socketFile() async throws {
        let server = try await RedisServer.start()
        let first = RedisClient(try RedisConfiguration(url: server.socketURL))
        let second = RedisClient(try RedisConfiguration(url: "\(server.url)/2"))
        #expect(try await first.send(.set("k", "v")))
        #expect(try await second.send(.get("k")) == nil)
        #expect(try await RedisClient(try RedisConfiguration(url: "\(server.socketURL)?db=2")).send(.set("k", "w")))
        #expect(try await second.send(.get("k")) == Array("w".utf8))
        #expect(
            await redisError { try await RedisClient(try RedisConfiguration(url: "\(server.url)/99")).send(.ping) }?.command
                == "SELECT")
    }

    @Test("the error for a wrong or missing password says so, without the password")
    func passwords() async throws {
        let server = try await RedisServer.start(["--requirepass", "right"])
        let address = "127.0.0.1:\(server.port)"
        try await RedisClient(try RedisConfiguration(url: "redis://:right@\(address)")).send(.ping)
        try await RedisClient(try RedisConfiguration(url: "redis://default:right@\(address)")).send(.ping)
        for login in [":wrong@", "default:wrong@", "nobody:right@", ""] {
            let client = RedisClient(try RedisConfiguration(url: "redis://\(login)\(address)"))
            let error = await redisError { try await client.send(.ping) }
            #expect(error?.code == .authentication)
            #expect(error?.description.contains("wrong") == false)
        }
    }

    @Test("the errors for what a server cannot do or may not do are different")
    func refusals() async throws {
        let server = try await RedisServer.start()
        let client = RedisClient(try RedisConfiguration(url: server.url))
        func refusal(_ url: String? = nil) async throws -> RedisError? {
            let asking = RedisClient(try RedisConfiguration(url: url ?? server.url))
            return await redisError { try await asking.send(.set("k", "v")) }
        }
        _ = try await client.send(RedisCommand("ACL SETUSER", "reader", "on", ">pw", "~*", "+get"))
        #expect(try await refusal("redis://reader:pw@127.0.0.1:\(server.port)")?.code == .noPermission)
        _ = try await client.send(RedisCommand("CONFIG SET", "maxmemory", 1))
        #expect(try await refusal()?.code == .outOfMemory)
        _ = try await client.send(RedisCommand("CONFIG SET", "maxmemory", 0))
        _ = try await client.send(RedisCommand("REPLICAOF", "127.0.0.1", try RedisServer.freePort()))
        #expect(try await refusal()?.code == .readOnly)
        _ = try await client.send(RedisCommand("REPLICAOF", "NO", "ONE"))
        #expect(try await refusal() == nil)
    }

    @Test("a password where none is set is refused by the server, and the error says so")
    func needlessPassword() async throws {
        let server = try await RedisServer.shared()
        let client = RedisClient(try RedisConfiguration(url: "redis://:any@127.0.0.1:\(server.port)"))
        #expect(await redisError { try await client.send(.ping) }?.code == .authentication)
    }

    @Test("a silent server causes a timeout, the command may have been executed, and the next one works")
    func silence() async throws {
        let server = try await RedisServer.start()
        var configuration = try RedisConfiguration(url: server.url)
        configuration.commandTimeout = .seconds(1)
        let client = RedisClient(configuration)
        #expect(try await client.send(RedisCommand("CLIENT PAUSE", 600_000, "WRITE")) == .status("OK"))
        let error = await redisError { try await client.send(.set("k", "v")) }
        #expect(error?.code == .timeout)
        #expect(error?.message.contains(" did not answer in time; ") == true, "\(error?.message ?? "")")
        #expect(error?.mayHaveExecuted == true)
        #expect(error?.command == "SET")
        #expect(try await client.send(.get("k")) == nil)
        #expect(try await client.send(RedisCommand("CLIENT UNPAUSE")) == .status("OK"))
        #expect(try await client.send(.set("k", "w")))
    }

    @Test("a connection that the server closed while idle is replaced without an error")
    func closedWhileIdle() async throws {
        let redis = try await RedisUnderTest()
        let connection = redis.client.dedicatedConnection()
        for number in 1...3 {
            let id = try await connection.send(RedisCommand("CLIENT ID")).integer
            _ = try await redis.client.send(RedisCommand("CLIENT KILL", "ID", id))
            #expect(try await connection.send(.incr(redis.key("n"))) == number)
        }
    }

    @Test("a server killed during a command: the command is lost, the next is refused, and later ones work")
    func killed() async throws {
        let server = try await RedisServer.start()
        let client = RedisClient(try RedisConfiguration(url: server.url))
        #expect(try await client.send(.set("k", "v")))
        async let blocked = redisError { try await client.send(RedisCommand("BLPOP", "list", 0, blocking: .forever)) }
        async let heard = redisError {
            for try await _ in try await client.subscribe(to: ["c"]) {}
        }
        try await client.waitForBlockedClients(1)
        try await until { try await client.send(.publish("x", to: "c")) == 1 }

        try await server.kill()
        for error in [await blocked, await heard] {
            #expect(error?.code == .connectionLost)
            #expect(error?.mayHaveExecuted == true)
            #expect(error?.description.contains("127.0.0.1:\(server.port)") == true)
        }
        let refused = await redisError { try await client.send(.get("k")) }
        #expect(refused?.code == .connectionFailed)
        #expect(refused?.mayHaveExecuted == false)

        try await server.restart()
        #expect(try await client.send(.get("k")) == nil)
        #expect(try await client.send(.set("k", "v")))
        #expect(try await client.send(RedisCommand("RPUSH", "list", "x")) == .number(1))
        #expect(try await client.send(RedisCommand("BLPOP", "list", 0, blocking: .forever)).array.count == 2)
    }

    @Test("a subscription whose connection is lost says so again each time it is asked")
    func lostSubscription() async throws {
        let server = try await RedisServer.start()
        let client = RedisClient(try RedisConfiguration(url: server.url))
        var messages = try await client.subscribe(to: ["c"]).makeAsyncIterator()
        try await server.kill()
        let lost = await redisError { try await messages.next() }
        #expect(lost?.code == .connectionLost)
        let again = await redisError { try await messages.next() }
        #expect(again?.code == .connectionLost)
        #expect(
            again?.message
                == "the connection to Redis at 127.0.0.1:\(server.port) was lost (it was closed); the command may have been "
                + "executed")
    }

    @Test("commands that wait when the server dies end in an error, or are answered when it is back")
    func killedUnderLoad() async throws {
        let server = try await RedisServer.start()
        let client = RedisClient(try RedisConfiguration(url: server.url))
        try await client.send(.ping)
        let codes = try await withThrowingTaskGroup(of: RedisError.Code?.self) { group in
            for _ in 0..<100 {
                group.addTask { await redisError { for _ in 0..<100 { _ = try await client.send(.incr("n")) } }?.code }
            }
            try await server.kill()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes.allSatisfy { [nil, .connectionFailed, .connectionLost].contains($0) })
        try await server.restart()
        try await client.send(.ping)
    }

    @Test("another server at the port is recognised as not being Redis")
    func noRedis() async throws {
        let foreign = try ForeignServer()
        let client = RedisClient(RedisConfiguration(address: .tcp(host: "127.0.0.1", port: foreign.port)))
        async let answer = redisError { try await client.send(.ping) }
        let caller = try await foreign.accepted()
        caller.say("SSH-2.0-OpenSSH_9.2\r\n")
        let error = await answer
        withExtendedLifetime(caller) {}
        #expect(error?.code == .unexpectedReply)
        #expect(error?.description.contains("is not Redis") == true)
    }

    @Test("a command that was not sent is retried once, and only once")
    func onceMore() async throws {
        let foreign = try ForeignServer()
        let client = RedisClient(RedisConfiguration(address: .tcp(host: "127.0.0.1", port: foreign.port), password: "p"))
        async let answer = redisError { try await client.send(.ping) }
        // The connection closes before the password is answered, so the command itself was never sent.
        for _ in 0..<2 { _ = try await foreign.accepted() }
        #expect(await answer?.code == .connectionFailed)
        async let second: Void = client.send(.ping)
        _ = try await foreign.accepted()
        let caller = try await foreign.accepted()
        caller.say("+OK\r\n+PONG\r\n")
        try await second
        withExtendedLifetime(caller) {}
    }

    @Test("a server that accepts connections and sends nothing is unreachable")
    func speechless() async throws {
        let foreign = try ForeignServer()
        let client = RedisClient(
            RedisConfiguration(
                address: .tcp(host: "127.0.0.1", port: foreign.port), password: "p", connectTimeout: .milliseconds(50)))
        let error = await redisError { try await client.send(.ping) }
        #expect(error?.code == .connectionFailed)
        #expect(error?.description.contains("no answer within") == true)
    }

    @Test("cancelling interrupts a blocking command that is still connecting")
    func cancelledConnecting() async throws {
        let foreign = try ForeignServer()
        let client = RedisClient(
            RedisConfiguration(
                address: .tcp(host: "127.0.0.1", port: foreign.port), password: "p", connectTimeout: .seconds(3600)))
        let task = Task { try await client.send(RedisCommand("BLPOP", "k", 0, blocking: .forever)) }
        let caller = try await foreign.accepted()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        withExtendedLifetime(caller) {}
    }

    @Test("500 tasks share a client, and each gets its own answers")
    func sharing() async throws {
        let redis = try await RedisUnderTest()
        let wrong = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<500 {
                group.addTask {
                    let (client, key, value) = (redis.client, redis.key("\(number)"), "value \(number)")
                    let echo = try await client.send(RedisCommand("ECHO", value)).text
                    _ = try await client.send(.set(key, value))
                    let pair = try await client.pipeline([RedisCommand("GET", key), RedisCommand("ECHO", number)])
                    let texts = [echo, try pair[0].get().text, try pair[1].get().text]
                    return texts == [value, value, "\(number)"] ? 0 : 1
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(wrong == 0)
    }
}
