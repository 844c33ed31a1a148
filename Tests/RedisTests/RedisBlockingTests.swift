import Redis
import TestSupport
import Testing
import FoundationEssentials

/// Reads that the server holds back. Each test has a server of its own, in order to count the clients that are blocked
/// in it.
@Suite(.timeLimit(.minutes(2))) struct RedisBlockingTests {
    private let server: RedisServer
    private let client: RedisClient

    init() async throws {
        server = try await RedisServer.start()
        client = RedisClient(try RedisConfiguration(url: server.url))
    }

    private func reading(_ blocking: RedisCommand.Blocking) -> RedisRequest<[String: [RedisStreamEntry]]> {
        .xreadgroup(["jobs"], group: "workers", consumer: "anna", count: 5, blocking: blocking)
    }

    @Test("a blocked read returns when an entry arrives, and others go on meanwhile")
    func arrival() async throws {
        try await client.ensureGroup("workers", on: "jobs")
        for blocking in [RedisCommand.Blocking.forever, .atMost(.seconds(600))] {
            async let read = client.send(reading(blocking))
            try await client.waitForBlockedClients(1)
            let id = try await client.send(.xadd("jobs", [.init("job", 1)]))
            #expect(try await read["jobs"]?.map(\.id) == [id])
        }
    }

    @Test("a blocked read that waits in vain returns nothing")
    func vain() async throws {
        try await client.ensureGroup("workers", on: "jobs")
        // A time below Redis' milliseconds must not become 0, which waits for ever.
        #expect(try await client.send(reading(.atMost(.microseconds(1)))).isEmpty)
        #expect(try await client.send(RedisCommand("BLPOP", "list", "0.01", blocking: .atMost(.milliseconds(10)))) == .null)
    }

    @Test("a blocked read may take longer than the command timeout")
    func margin() async throws {
        var configuration = client.configuration
        configuration.commandTimeout = .milliseconds(600)
        let patient = RedisClient(configuration)
        try await patient.ensureGroup("workers", on: "jobs")
        #expect(try await patient.send(reading(.atMost(.milliseconds(900)))).isEmpty)
    }

    @Test("cancelling the task interrupts a blocked read, the server forgets it, and the connection still works")
    func cancellation() async throws {
        let connection = client.dedicatedConnection()
        try await connection.ensureGroup("workers", on: "jobs")
        for _ in 0..<3 {
            let request = reading(.forever)
            let task = Task { try await connection.send(request) }
            try await client.waitForBlockedClients(1)
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            // A client that stays blocked would be given entries that nobody sees.
            try await client.waitForBlockedClients(0)
        }
        let id = try await client.send(.xadd("jobs", [.init("job", 1)]))
        #expect(try await connection.send(reading(.forever))["jobs"]?.map(\.id) == [id])
    }

    @Test("a client's blocked reads can be cancelled one by one")
    func oneOfTwo() async throws {
        let first = Task { [client] in try await client.send(RedisCommand("BLPOP", "first", 0, blocking: .forever)) }
        let second = Task { [client] in try await client.send(RedisCommand("BLPOP", "second", 0, blocking: .forever)) }
        try await client.waitForBlockedClients(2)
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        try await client.waitForBlockedClients(1)
        _ = try await client.send(RedisCommand("RPUSH", "second", "x"))
        #expect(try await second.value == .list([.bulk(Array("second".utf8)), .bulk([120])]))
        // The next call uses the interrupted connection.
        _ = try await client.send(RedisCommand("RPUSH", "first", "y"))
        let next = try await client.send(RedisCommand("BLPOP", "first", 0, blocking: .forever))
        #expect(try next.array.last?.text == "y")
    }

    @Test("a cancelled task sends no blocking read, but still a short command")
    func cancelledBefore() async throws {
        let (client, request) = (client, reading(.forever))
        let task = Task {
            try await until { Task.isCancelled }
            await #expect(throws: CancellationError.self) { try await client.send(request) }
            #expect(try await client.send(.set("bye", "1")))
        }
        task.cancel()
        try await task.value
        #expect(try await client.send(.info("commandstats"))["cmdstat_xreadgroup"] == nil)
    }

    @Test("blocking reads delay no other task, even when more of them are blocked than there are cores")
    func innocent() async throws {
        let count = max(8, ProcessInfo.processInfo.activeProcessorCount + 1)
        let client = client
        let popped = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<count {
                group.addTask {
                    try await client.send(RedisCommand("BLPOP", "key\(number)", 0, blocking: .forever)).array[1].text
                }
            }
            // This task and its children make progress only while no thread of Swift's is blocked; otherwise nobody
            // would ever push.
            try await client.waitForBlockedClients(count)
            await withTaskGroup(of: Void.self) { innocents in
                for _ in 0..<count { innocents.addTask { await Task.yield() } }
            }
            for number in 0..<count { _ = try await client.send(RedisCommand("RPUSH", "key\(number)", number)) }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(popped == Set((0..<count).map(String.init)))
    }

    @Test("a connection that nobody uses any more is closed")
    func letGo() async throws {
        let client = client
        func connected() async throws -> String? { try await client.send(.info("clients"))["connected_clients"] }
        do {
            let connection = client.dedicatedConnection()
            try await connection.send(.ping)
            #expect(try await connected() == "2")
            await connection.close()
            try await until { try await connected() == "1" }
            try await connection.send(.ping)
        }
        try await until { try await connected() == "1" }
    }

    @Test("everything published after subscribing is received, in order")
    func subscription() async throws {
        let subscription = try await client.subscribe(to: ["cancelled", "progress"])
        for number in 0..<100 {
            let channel = number.isMultiple(of: 2) ? "cancelled" : "progress"
            #expect(try await client.send(.publish(number, to: channel)) == 1)
        }
        _ = try await client.send(.publish([0, 1] as [UInt8], to: "progress"))
        var messages = subscription.makeAsyncIterator()
        for number in 0..<100 {
            let message = try #require(try await messages.next())
            #expect(message.channel == (number.isMultiple(of: 2) ? "cancelled" : "progress"))
            #expect(message.payload == Array("\(number)".utf8))
        }
        #expect(try await messages.next()?.payload == [0, 1])
    }

    @Test("a subscription ends with its task, and leaves the server")
    func endOfSubscription() async throws {
        let client = client
        let task = Task {
            for try await message in try await client.subscribe(to: ["c"]) where message.payload == [1] { return }
        }
        try await until { try await client.send(.publish([0] as [UInt8], to: "c")) == 1 }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await until { try await client.send(.publish([0] as [UInt8], to: "c")) == 0 }
    }
}
