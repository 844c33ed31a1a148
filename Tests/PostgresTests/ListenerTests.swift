import BlockingWork
import Postgres
import Testing
import TestSupport

@Suite("The listener", .timeLimit(.minutes(2)))
struct ListenerTests {
    private let database: TestDatabase
    private let connection: PostgresConnection

    init() async throws {
        database = try await TestDatabase()
        connection = try await database.connect()
    }

    private func notify(_ channel: String, _ payload: String) async throws {
        try await connection.execute("SELECT pg_notify($1, $2)", [.text(channel), .text(payload)])
    }

    private func heard(_ event: PostgresListener.Event?) -> [String] {
        guard case .notification(let notification) = event else { return [] }
        return [notification.channel, notification.payload]
    }

    @Test("notifications are received in order, from all channels however they are spelt, and from no other")
    func notifications() async throws {
        let strange = "Jobs \"of\" spool"
        let listener = PostgresListener(database.configuration, channels: ["jobs", strange])
        let running = Task { try await listener.run() }
        var events = listener.events.makeAsyncIterator()
        #expect(await events.next() == .listening)
        try await notify("jobs", "1")
        try await notify("Jobs", "for nobody")
        try await notify(strange, "zwei 世界")
        try await notify("jobs", "")
        #expect(heard(await events.next()) == ["jobs", "1"])
        #expect(heard(await events.next()) == [strange, "zwei 世界"])
        #expect(heard(await events.next()) == ["jobs", ""])
        running.cancel()
        #expect(await events.next() == nil)
        try await running.value
    }

    @Test("the listener reconnects by itself, and says that something may have been missed")
    func reconnects() async throws {
        let backoff = Backoff(first: .milliseconds(1), limit: .milliseconds(10))
        let listener = PostgresListener(database.configuration, channels: ["jobs"], backoff: backoff)
        let running = Task { try await listener.run() }
        var events = listener.events.makeAsyncIterator()
        #expect(await events.next() == .listening)
        var messages: [String] = []
        for round in 1...3 {
            try await connection.terminate()
            guard case .disconnected(let error) = await events.next() else {
                Issue.record("the break was not told")
                return
            }
            #expect(error.code == .connectionLost)
            messages.append(error.message)
            #expect(await events.next() == .reconnected)
            try await notify("jobs", "\(round)")
            #expect(heard(await events.next()) == ["jobs", "\(round)"])
        }
        // A listener that has not come to wait yet finds its connection closed.
        #expect(messages.contains { $0.hasPrefix("the connection for notifications broke: ") }, "\(messages)")
        running.cancel()
        try await running.value
    }

    @Test("the listener waits for a server that is not there yet, and ends when it is cancelled meanwhile")
    func absentServer() async throws {
        let listener = PostgresListener(PostgresConfiguration("postgresql://127.0.0.1:1/spool"), channels: ["jobs"])
        let running = Task { try await listener.run() }
        for await event in listener.events {
            guard case .disconnected(let error) = event else {
                Issue.record("\(event)")
                return
            }
            #expect(error.code == .connectionFailed)
            running.cancel()
        }
        try await running.value
    }

    @Test("a permanent refusal ends the listener")
    func refused() async throws {
        let server = try await PostgresServer.shared()
        let configuration = PostgresConfiguration(server.url(database: "postgres", password: "wrong"))
        let error = await #expect(throws: PostgresError.self) {
            try await PostgresListener(configuration, channels: ["jobs"]).run()
        }
        #expect(error?.sqlState == "28P01")
        let name = await #expect(throws: PostgresError.self) {
            try await PostgresListener(database.configuration, channels: [String(repeating: "x", count: 64)]).run()
        }
        #expect(name?.code == .misuse && name?.message == "the name of a channel has 1 to 63 bytes")
    }
}
