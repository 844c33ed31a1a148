import Redis
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct RedisValueTests {
    @Test("every kind of answer is read as its own kind")
    func kinds() async throws {
        let redis = try await RedisUnderTest()
        let nested = "return {1, {'two', {3, {false, 'x\\0y'}}}, redis.status_reply('FINE'), redis.error_reply('ODD thing')}"
        #expect(
            try await redis.client.evaluate(nested, keys: [], arguments: [])
                == .list([
                    .number(1), .list([.bulk([116, 119, 111]), .list([.number(3), .list([.null, .bulk([120, 0, 121])])])]),
                    .status("FINE"), .failure("ODD thing"),
                ]))
        #expect(try await redis.client.send(RedisCommand("PING")) == .status("PONG"))
        #expect(try await redis.client.send(RedisCommand("GET", redis.key("none"))) == .null)
        #expect(try await redis.client.send(RedisCommand("LRANGE", redis.key("none"), 0, -1)) == .list([]))
        #expect(
            try await redis.client.evaluate("return math.mininteger or -9007199254740992", keys: [], arguments: [])
                == .number(-9_007_199_254_740_992))
    }

    @Test("bytes come back unchanged: zeros, line ends, nothing at all, a megabyte")
    func bytes() async throws {
        let redis = try await RedisUnderTest()
        var random = RandomNumbers(seed: 1)
        let megabyte = (0..<(1 << 20)).map { _ in UInt8.random(in: 0...255, using: &random) }
        for value in [[], [0], [0, 13, 10, 0], Array(0...255), megabyte] as [[UInt8]] {
            #expect(try await redis.client.send(.set(redis.key("bytes"), value)))
            #expect(try await redis.client.send(.get(redis.key("bytes"))) == value)
        }
    }

    @Test("arguments are sent as they are and never interpreted")
    func quoting() async throws {
        let redis = try await RedisUnderTest()
        for text in ["%s %d %b", "a b\"c'", "", "\r\n*1\r\n", "ü€🎬"] {
            #expect(try await redis.client.send(RedisCommand("ECHO", text)).text == text)
        }
    }

    @Test("an answer of a wrong shape is an error that names the expected shape, the actual one and the command")
    func shapes() async throws {
        let redis = try await RedisUnderTest()
        #expect(throws: RedisError(.unexpectedReply, "expected an integer from Redis, got a status")) {
            try RedisValue.status("OK").integer
        }
        #expect(throws: RedisError(.unexpectedReply, "expected text from Redis, got null")) { try RedisValue.null.text }
        #expect(throws: RedisError(.unexpectedReply, "expected pairs from Redis, got an array of 1")) {
            try RedisValue.list([.null]).map
        }
        #expect(throws: RedisError.self) { try RedisValue.bulk([0xFF]).text }
        #expect(try RedisValue.null.ifPresent?.text == nil)
        let odd = RedisRequest<Int>(RedisCommand("PING")) { try $0.integer }
        let error = await redisError { try await redis.client.send(odd) }
        #expect(error?.description == "PING: expected an integer from Redis, got a status")
    }

    @Test("the server's errors have its own word, the command's name and no argument")
    func errors() async throws {
        let redis = try await RedisUnderTest()
        _ = try await redis.client.send(.set(redis.key("text"), "x"))
        let kind = await redisError { try await redis.client.send(.sadd(redis.key("text"), ["secret"])) }
        #expect(kind?.code == .wrongType)
        #expect(kind?.word == "WRONGTYPE")
        #expect(kind?.command == "SADD")
        let expected = "SADD: Redis answered 'WRONGTYPE Operation against a key holding the wrong kind of value'"
        #expect(kind?.description == expected)
        #expect(kind?.mayHaveExecuted == false)
        let unknown = await redisError { try await redis.client.send(RedisCommand("SPOOL", "secret")) }
        #expect(unknown?.code == .server)
        #expect(unknown?.word == "ERR")
        #expect(unknown?.description.contains("secret") == false)
        let group = await redisError {
            try await redis.client.send(.xreadgroup([redis.key("s")], group: "g", consumer: "c", count: 1))
        }
        #expect(group?.code == .noGroup)
    }

    @Test("the typed commands read what they write")
    func typed() async throws {
        let redis = try await RedisUnderTest()
        let client = redis.client
        let (one, two) = (redis.key("one"), redis.key("two"))
        #expect(try await client.send(.set(one, "1", expiresIn: .seconds(1000), onlyIf: .absent)))
        #expect(try await !client.send(.set(one, "2", onlyIf: .absent)))
        #expect(try await !client.send(.set(two, "2", onlyIf: .present)))
        let left = try #require(try await client.send(.ttl(one)))
        #expect(left > .zero && left <= .seconds(1000))
        #expect(try await client.send(.expire(one, in: .seconds(2000))))
        #expect(try await client.send(.ttl(one)).map { $0 > .seconds(1000) } == true)
        #expect(try await !client.send(.expire(two, in: .seconds(2000))))
        #expect(try await client.send(.mget([one, two])) == [[49], nil])
        #expect(try await client.send(.incr(one, by: 41)) == 42)
        #expect(try await client.send(.exists([one, two])) == 1)
        #expect(try await client.send(.del([one, two])) == 1)
        #expect(try await client.send(.ttl(one)) == nil)

        let hash = redis.key("hash")
        #expect(try await client.send(.hset(hash, ["a": "1", "b": "2"])) == 2)
        #expect(try await client.send(.hincr(hash, "a", by: 2)) == 3)
        #expect(try await client.send(.hmget(hash, ["b", "c"])) == [[50], nil])
        #expect(try await client.send(.hget(hash, "a")) == [51])
        #expect(try await client.send(.hdel(hash, ["a"])) == 1)
        #expect(try await client.send(.hgetall(hash)) == ["b": [50]])

        let set = redis.key("set")
        #expect(try await client.send(.sadd(set, ["x", "y"])) == 2)
        #expect(try await client.send(.srem(set, ["y", "z"])) == 1)
        #expect(try await client.send(.smismember(set, ["x", "y"])) == [true, false])
        #expect(try await client.send(.scard(set)) == 1)
        #expect(try await client.send(.smembers(set)) == [[120]])
    }

    @Test("the server's information and settings can be read")
    func server() async throws {
        let redis = try await RedisUnderTest()
        try await redis.client.send(.ping)
        let info = try await redis.client.send(.info("server"))
        #expect(info["tcp_port"] == String(try await RedisServer.shared().port))
        #expect(try await redis.client.send(.maxmemoryPolicy) == "noeviction")
        #expect(try await redis.client.send(.config("appendonly")) == ["appendonly": "no"])
    }

    @Test("a scan finds every key that matches, and no other")
    func scan() async throws {
        let redis = try await RedisUnderTest()
        let wanted = (0..<250).map { redis.key("scan:\($0)") }
        _ = try await redis.client.pipeline((wanted + [redis.key("other")]).map { RedisCommand("SET", $0, "x") })
        var found: Set<String> = []
        for try await key in redis.client.scan(redis.key("scan:*"), pageSize: 10) { found.insert(key) }
        #expect(found == Set(wanted))
    }
}
