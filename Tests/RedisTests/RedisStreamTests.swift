import Redis
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct RedisStreamTests {
    private typealias Field = RedisStreamEntry.Field

    @Test("ids are ordered by time, then by count, and are read back from text")
    func ids() {
        let ids = ["0-0", "0-1", "9-5", "10-0", "10-18446744073709551615"].compactMap { RedisStreamID(text: $0) }
        #expect(ids.count == 5)
        #expect(ids == ids.sorted())
        #expect(ids.map(\.description).last == "10-18446744073709551615")
        for text in ["", "-", "1", "1-", "-1", "1-2-3", "a-b", "1-18446744073709551616"] {
            #expect(RedisStreamID(text: text) == nil)
        }
    }

    @Test("entries keep their fields in order, repeated and binary ones too")
    func entries() async throws {
        let redis = try await RedisUnderTest()
        let stream = redis.key("jobs")
        let fields = [Field("job", "7"), Field("z", [0, 255] as [UInt8]), Field("a", 1), Field("a", 2)]
        let id = try await redis.client.send(.xadd(stream, fields))
        let entry = try #require(try await redis.client.send(.xrange(stream, count: 10)).first)
        #expect(entry.id == id)
        #expect(entry.fields == fields)
        #expect(entry.text("job") == "7")
        #expect(entry["z"] == [0, 255])
        #expect(entry.text("z") == nil)
        #expect(entry.text("a") == "1")
        #expect(entry["none"] == nil)
    }

    @Test("a stream with a limit keeps only its newest entries")
    func limit() async throws {
        let redis = try await RedisUnderTest()
        let stream = redis.key("events")
        for number in 0..<5 { _ = try await redis.client.send(.xadd(stream, [Field("n", number)], limit: .exactly(2))) }
        let left = try await redis.client.send(.xrange(stream, count: 10))
        #expect(left.map { $0.text("n") } == ["3", "4"])
        for number in 0..<5 { _ = try await redis.client.send(.xadd(stream, [Field("n", number)], limit: .about(2))) }
        #expect(try await redis.client.send(.xlen(stream)) >= 2)
    }

    @Test("an entry is added, read, renewed, taken over, acknowledged and trimmed, and the group's lag stays right")
    func life() async throws {
        let redis = try await RedisUnderTest()
        let (client, stream, other, group) = (redis.client, redis.key("jobs"), redis.key("empty"), "workers")
        for name in [stream, other] {
            #expect(try await client.ensureGroup(group, on: name))
            #expect(try await !client.ensureGroup(group, on: name))
        }
        var ids: [RedisStreamID] = []
        for number in 0..<6 { ids.append(try await client.send(.xadd(stream, [Field("job", number)]))) }
        #expect(try await client.send(.xinfoGroups(stream)).first?.lag == 6)

        // Two consumers get different entries, and a stream without entries is missing in the answer.
        let first = try await client.send(.xreadgroup([other, stream], group: group, consumer: "anna", count: 3))
        let second = try await client.send(.xreadgroup([other, stream], group: group, consumer: "ben", count: 2))
        #expect(Array(first.keys) == [stream])
        #expect(first[stream]?.map(\.id) == Array(ids[0..<3]))
        #expect(second[stream]?.map { $0.text("job") } == ["3", "4"])

        // An entry is acknowledged once, and never twice.
        #expect(try await client.send(.xack(stream, group: group, [ids[0], ids[3]])) == 2)
        #expect(try await client.send(.xack(stream, group: group, [ids[0]])) == 0)
        let summary = try await client.send(.xpending(stream, group: group))
        #expect(summary.count == 3)
        #expect(summary.range == ids[1]...ids[4])
        #expect(summary.consumers == ["anna": 2, "ben": 1])
        let empty = try await client.send(.xpending(other, group: group))
        #expect(empty.range == nil && empty.count == 0 && empty.consumers.isEmpty)

        // The list comes in pages, and says which consumer has which entry for how long.
        let page = try await client.send(.xpending(stream, group: group, count: 2))
        #expect(page.map(\.id) == [ids[1], ids[2]])
        #expect(page.map(\.consumer) == ["anna", "anna"])
        #expect(page.map(\.deliveries) == [1, 1])
        #expect(try await client.send(.xpending(stream, group: group, after: ids[2], count: 2)).map(\.id) == [ids[4]])
        #expect(try await client.send(.xpending(stream, group: group, count: 9, consumer: "ben")).map(\.id) == [ids[4]])
        #expect(try await client.send(.xpending(stream, group: group, idle: .seconds(3600), count: 9)).isEmpty)

        // Renewing keeps the count of deliveries, and shows which entries the consumer no longer has.
        let renewed = try await client.send(.xclaimJustID(stream, group: group, consumer: "anna", [ids[0], ids[1]]))
        #expect(renewed == [ids[1]])
        #expect(
            try await client.send(.xclaimJustID(stream, group: group, consumer: "ben", idle: .seconds(3600), [ids[1]])) == [])
        #expect(try await client.send(.xpending(stream, group: group, count: 1)).first?.deliveries == 1)

        // Taking over counts as a delivery. Entries that were trimmed away meanwhile are listed and forgotten.
        #expect(try await client.send(.xtrim(stream, before: ids[2])) == 2)
        let step = try await client.send(.xautoclaim(stream, group: group, consumer: "carl", idle: .zero, count: 2))
        #expect(step.entries.map(\.id) == [ids[2]])
        #expect(step.deleted == [ids[1]])
        #expect(step.next == ids[4])
        let last = try await client.send(.xautoclaim(stream, group: group, consumer: "carl", idle: .zero, from: step.next))
        #expect(last.entries.map(\.id) == [ids[4]])
        #expect(last.next == .zero)
        #expect(try await client.send(.xpending(stream, group: group, count: 9)).map(\.deliveries) == [2, 2])

        // All entries are done except one that no consumer has read.
        #expect(try await client.send(.xack(stream, group: group, [ids[2], ids[4]])) == 2)
        #expect(try await client.send(.xtrim(stream, before: ids[5])) == 3)
        #expect(try await client.send(.xlen(stream)) == 1)
        let groups = try await client.send(.xinfoGroups(stream))
        #expect(groups.map(\.name) == [group])
        #expect(groups.first?.lag == 1)
        #expect(groups.first?.pending == 0)
        #expect(groups.first?.consumers == 3)
        #expect(groups.first?.lastDelivered == ids[4])

        let consumers = try await client.send(.xinfoConsumers(stream, group: group))
        #expect(consumers.map(\.name).sorted() == ["anna", "ben", "carl"])
        #expect(consumers.allSatisfy { $0.pending == 0 && $0.idle >= .zero })
        #expect(try await client.send(.xgroupDelconsumer(stream, group: group, consumer: "anna")) == 0)
        #expect(try await client.send(.xinfoConsumers(stream, group: group)).count == 2)
    }

    @Test("reading from the first stream that has entries returns those of one stream, in the order of the streams")
    func firstOfStreams() async throws {
        let redis = try await RedisUnderTest()
        let client = redis.client
        let names = ["first", "second", "third"].map(redis.key)
        func read(_ count: Int, as consumer: String = "anna") async throws -> [String: [String]] {
            try await client.readGroup(firstOf: names, group: "g", consumer: consumer, count: count)
                .mapValues { $0.compactMap { $0.text("n") } }
        }
        let missing = await redisError { try await read(1) }
        #expect(missing?.code == .noGroup, "a group that is missing is told apart from other faults")
        for name in names { try await client.ensureGroup("g", on: name) }
        #expect(try await read(5).isEmpty)
        for (name, number) in [(names[1], "1"), (names[1], "2"), (names[1], "3"), (names[2], "4")] {
            _ = try await client.send(.xadd(name, [Field("n", number)]))
        }
        #expect(try await read(2) == [names[1]: ["1", "2"]])
        #expect(try await read(2, as: "ben") == [names[1]: ["3"]])
        #expect(try await read(2) == [names[2]: ["4"]])
        #expect(try await read(2).isEmpty)
        #expect(try await client.send(.xpending(names[1], group: "g")).count == 3)
    }

    @Test("a flushed server shows as a missing group, and works again once the group is made")
    func flushed() async throws {
        let server = try await RedisServer.start()
        let client = RedisClient(try RedisConfiguration(url: server.url))
        try await client.ensureGroup("g", on: "s")
        #expect(try await server.ask(["FLUSHALL"]) == "OK")
        let reading = RedisRequest.xreadgroup(["s"], group: "g", consumer: "c", count: 1)
        #expect(await redisError { try await client.send(reading) }?.code == .noGroup)
        #expect(await redisError { try await client.send(.xpending("s", group: "g")) }?.code == .noGroup)
        try await client.ensureGroup("g", on: "s")
        let id = try await client.send(.xadd("s", [Field("job", 1)]))
        #expect(try await client.send(reading)["s"]?.map(\.id) == [id])
    }

    @Test("a blocked read gets the error of a missing group when the server is flushed")
    func flushedWhileBlocked() async throws {
        let server = try await RedisServer.start()
        let client = RedisClient(try RedisConfiguration(url: server.url))
        try await client.ensureGroup("g", on: "s")
        async let error = redisError {
            try await client.send(.xreadgroup(["s"], group: "g", consumer: "c", count: 1, blocking: .forever))
        }
        try await client.waitForBlockedClients(1)
        #expect(try await server.ask(["FLUSHALL"]) == "OK")
        #expect(await error?.code == .noGroup)
    }
}
