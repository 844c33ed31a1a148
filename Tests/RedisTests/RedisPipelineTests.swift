import Redis
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct RedisPipelineTests {
    @Test("a pipeline answers in order, an error in the middle included")
    func order() async throws {
        let redis = try await RedisUnderTest()
        let key = redis.key("list")
        let answers = try await redis.client.pipeline([
            RedisCommand("RPUSH", key, "a"), RedisCommand("RPUSH", key, "b"), RedisCommand("INCR", key),
            RedisCommand("LRANGE", key, 0, -1),
        ])
        #expect(answers.count == 4)
        #expect(try answers[0].get() == .number(1))
        #expect(try answers[1].get() == .number(2))
        let error = #expect(throws: RedisError.self) { try answers[2].get() }
        #expect(error?.code == .wrongType)
        #expect(error?.command == "INCR")
        #expect(try answers[3].get() == .list([.bulk([97]), .bulk([98])]))
        #expect(try await redis.client.pipeline([]).isEmpty)
    }

    @Test("a pipeline of thousands of commands and megabytes is answered completely")
    func large() async throws {
        let redis = try await RedisUnderTest()
        let values = (0..<5000).map { "\($0)" + String(repeating: "x", count: 2000) }
        let answers = try await redis.client.pipeline(values.map { RedisCommand("ECHO", $0) })
        #expect(try answers.map { try $0.get().text } == values)
    }

    @Test("no client sees half a transaction")
    func atomic() async throws {
        let redis = try await RedisUnderTest()
        let (first, second) = (redis.key("first"), redis.key("second"))
        let reader = redis.client.dedicatedConnection()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for _ in 0..<300 { _ = try await redis.client.transaction(.incr(first), .incr(second)) }
            }
            group.addTask {
                var last = 0
                while last < 300 {
                    let both = try await reader.send(.mget([first, second])).map {
                        Int(String(decoding: $0 ?? [48], as: UTF8.self))
                    }
                    #expect(both[0] == both[1])
                    last = both[0] ?? last
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("a transaction returns typed replies")
    func typed() async throws {
        let redis = try await RedisUnderTest()
        let (stream, counter) = (redis.key("results"), redis.key("done"))
        let (id, done) = try await redis.client.transaction(.xadd(stream, [.init("job", "7")]), .incr(counter))
        #expect(done == 1)
        #expect(try await redis.client.send(.xrange(stream, count: 2)).map(\.id) == [id])
    }

    @Test("a command that cannot be queued cancels the whole transaction, and the error names it")
    func queueing() async throws {
        let redis = try await RedisUnderTest()
        let key = redis.key("x")
        let error = await redisError {
            try await redis.client.transaction([RedisCommand("SET", key, "1"), RedisCommand("HSET", key), RedisCommand("PING")])
        }
        #expect(error?.command == "HSET")
        #expect(error?.word == "ERR")
        #expect(try await redis.client.send(.get(key)) == nil)
        #expect(try await redis.client.send(RedisCommand("PING")) == .status("PONG"))
    }

    @Test("a command that fails in a transaction has its error in the results, and the others are executed")
    func failing() async throws {
        let redis = try await RedisUnderTest()
        let key = redis.key("x")
        let answers = try await redis.client.transaction([
            RedisCommand("SET", key, "text"), RedisCommand("INCR", key), RedisCommand("APPEND", key, "!"),
        ])
        #expect(answers.map { (try? $0.get()) != nil } == [true, false, true])  // the results say which of them failed
        #expect(try await redis.client.send(.get(key)) == Array("text!".utf8))
    }

    @Test("a transaction is refused when a watched key has changed")
    func conflict() async throws {
        let redis = try await RedisUnderTest()
        let (key, other) = (redis.key("watched"), redis.key("other"))
        let connection = redis.client.dedicatedConnection()
        try await connection.watch([key])
        _ = try await redis.client.send(.incr(key))
        let error = await redisError { try await connection.transaction(.incr(other)) }
        #expect(error?.code == .conflict)
        #expect(error?.message == "a watched key changed, so nothing was executed; repeat the transaction")
        #expect(try await redis.client.send(.get(other)) == nil)
        try await connection.watch([key])
        #expect(try await connection.transaction([RedisCommand("INCR", other)]).count == 1)
    }

    @Test("a transaction is refused when the connection that watched keys was lost")
    func lostWatch() async throws {
        let redis = try await RedisUnderTest()
        let key = redis.key("watched")
        let connection = redis.client.dedicatedConnection()
        try await connection.watch([key])
        let id = try await connection.send(RedisCommand("CLIENT ID")).integer
        _ = try await redis.client.send(RedisCommand("CLIENT KILL", "ID", id))
        let error = await redisError { try await connection.transaction([RedisCommand("INCR", key)]) }
        #expect(error?.code == .conflict)
        #expect(error?.message == "the connection that watched the keys was lost; repeat the transaction")
        #expect(try await redis.client.send(.get(key)) == nil)
        #expect(try await connection.transaction([RedisCommand("INCR", key)]).count == 1)
    }

    @Test("a script runs by its hash, and still when the server has forgotten it")
    func scripts() async throws {
        let server = try await RedisServer.start()
        let client = RedisClient(try RedisConfiguration(url: server.url))
        let script = "return redis.call('INCRBY', KEYS[1], ARGV[1])"
        for expected in [5, 10] {
            #expect(try await client.evaluate(script, keys: ["k"], arguments: [5]) == .number(expected))
        }
        #expect(try await server.ask(["SCRIPT", "FLUSH"]) == "OK")
        #expect(try await client.evaluate(script, keys: ["k"], arguments: [5]) == .number(15))
        #expect(try await client.evaluate(script, keys: ["k"], arguments: [5]) == .number(20))
        let stats = try await client.send(.info("commandstats"))
        #expect(stats["cmdstat_eval"]?.hasPrefix("calls=1,") == true)
        let error = await redisError { try await client.evaluate("return redis.call('GET')", keys: [], arguments: []) }
        #expect(error?.command == "EVALSHA")
        #expect(error?.code == .server)
    }
}
