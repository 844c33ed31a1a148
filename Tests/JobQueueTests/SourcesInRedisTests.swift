import ContentHashing
import ExactTime
import ExportPlan
import FarmAPI
import JobQueue
import Redis
import TestSupport
import Testing
import FoundationEssentials

/// Tickets name the sources of their jobs, and Redis has what is known of each source once.
@Suite("Sources of tickets in Redis")
struct SourcesInRedisTests {
    @Test("are stored once, however many tickets name them, and the tickets arrive as they were sent")
    func once() async throws {
        let scene = try await SourceScene()
        let (first, second) = (SourceScene.reference("first"), SourceScene.reference("second"))
        let tickets = (Int64(1)...20).map { SourceScene.ticket($0, [second, first]) }
        try await scene.coordinator.send(Array(tickets.prefix(10)))
        #expect(try await scene.stored().count == 2)
        let alone = SourceScene.ticket(21, [first], .stitch)
        try await scene.coordinator.send(Array(tickets.dropFirst(10)) + [alone])
        #expect(try await scene.stored().count == 2)
        #expect(try await scene.take(20).map(\.ticket) == tickets)
        #expect(try await scene.take(1, [.stitch]).map(\.ticket) == [alone])
        #expect(scene.said.entries.isEmpty)
    }

    @Test("with the same name and other facts are told apart")
    func facts() async throws {
        let scene = try await SourceScene()
        let (short, long) = (SourceScene.reference("film"), SourceScene.reference("film", keyframes: 20))
        let tickets = [short, long, short, long].enumerated().map { SourceScene.ticket(Int64($0), [$1]) }
        try await scene.coordinator.send(tickets)
        #expect(try await scene.stored().count == 2)
        #expect(try await scene.take(4).map(\.ticket) == tickets)
    }

    @Test("are kept for another hour with each dispatch")
    func lifetime() async throws {
        let scene = try await SourceScene()
        let hour = 3_400_000...3_600_000
        for job in Int64(1)...2 {
            try await scene.coordinator.send([SourceScene.ticket(job, [SourceScene.reference("film")])])
            let key = try #require(try await scene.stored().first)
            let left = try await scene.server.ask(["PTTL", key])
            let milliseconds = try #require(Int(left))
            #expect(hour.contains(milliseconds))
            _ = try await scene.server.ask(["PEXPIRE", key, "100000"])
        }
    }

    @Test("are stored anew after Redis has lost everything")
    func flushed() async throws {
        let scene = try await SourceScene()
        let film = SourceScene.reference("film")
        try await scene.coordinator.send([SourceScene.ticket(1, [film])])
        #expect(try await scene.take(1).count == 1)
        _ = try await scene.server.ask(["FLUSHALL"])
        #expect(try await scene.coordinator.prepare(pools: QueueFixture.pools))
        #expect(try await scene.stored().isEmpty)
        let tickets = [SourceScene.ticket(2, [film]), SourceScene.ticket(3, [film])]
        try await scene.coordinator.send(tickets)
        #expect(try await scene.stored().count == 1)
        // One worker has the source from before, and the other has to fetch it.
        #expect(try await scene.take(1).map(\.ticket) == [tickets[0]])
        let other = try scene.queue()
        #expect(try await scene.take(1, at: other, as: "w2").map(\.ticket) == [tickets[1]])
        #expect(scene.said.entries.isEmpty)
    }

    @Test("that are missing send their jobs back, and the next dispatch brings them", .timeLimit(.minutes(1)))
    func missing() async throws {
        let scene = try await SourceScene()
        let (gone, film) = (SourceScene.reference("gone"), SourceScene.reference("film"))
        try await scene.coordinator.send([SourceScene.ticket(1, [gone]), SourceScene.ticket(2, [film, gone])])
        let keys = try await scene.stored()
        try await scene.coordinator.send([SourceScene.ticket(3, [film])])
        try #require(keys.count == 2)
        let bytes = try await scene.redis.send(.get(keys[0]))
        let key = String(decoding: bytes ?? [], as: UTF8.self).contains("gone") ? keys[0] : keys[1]
        _ = try await scene.server.ask(["DEL", key])

        #expect(try await scene.take(1).map(\.ticket) == [SourceScene.ticket(3, [film])])
        let returned = (Int64(1)...2).map { JobReport(AttemptID(job: $0, attempt: 1), worker: "w1", .returned) }
        #expect(try await scene.reports(2) == returned)
        #expect(try await scene.coordinator.held() == [AttemptID(job: 3, attempt: 1)])
        #expect(scene.said.entries.map(\.place) == [key], "it is said once")

        let next = SourceScene.ticket(1, [gone], attempt: 2)
        try await scene.coordinator.send([next])
        #expect(try await scene.take(1).map(\.ticket) == [next])
        #expect(scene.said.entries.count == 1)
    }

    @Test("that something has overwritten send their jobs back, and the next dispatch brings them", .timeLimit(.minutes(1)))
    func overwritten() async throws {
        let scene = try await SourceScene()
        let film = SourceScene.reference("film")
        try await scene.coordinator.send([SourceScene.ticket(1, [film])])
        let key = try #require(try await scene.stored().first)
        _ = try await scene.server.ask(["SET", key, "rubbish"])
        try await scene.coordinator.send([SourceScene.ticket(2, [])])
        #expect(try await scene.take(1).map(\.ticket.job) == [2])
        #expect(try await scene.reports(1) == [JobReport(AttemptID(job: 1, attempt: 1), worker: "w1", .returned)])
        #expect(scene.said.entries.map(\.bytes) == [Array("rubbish".utf8)])
        #expect(try await scene.stored().isEmpty)

        let next = SourceScene.ticket(1, [film], attempt: 2)
        try await scene.coordinator.send([next])
        #expect(try await scene.take(1).map(\.ticket) == [next])
    }

    @Test("that another version wrote fail the attempt, so that another worker gets the job", .timeLimit(.minutes(1)))
    func foreign() async throws {
        let scene = try await SourceScene()
        let bytes = Array(#"{"facts":{"version":77},"path":"film.mov"}"#.utf8)
        let digest = ContentHash.of(bytes)
        _ = try await scene.redis.send(.set("spool:source:\(digest)", bytes))
        let bare = String(decoding: try JSONEncoder().encode(SourceScene.ticket(1, [])), as: UTF8.self)
        let entry = Array(#"{"job":1,"attempt":1,"ticket":\#(bare),"sources":["\#(digest)"]}"#.utf8)
        _ = try await scene.redis.send(.xadd(SourceScene.stream, [.init("json", entry)]))
        try await scene.coordinator.send([SourceScene.ticket(2, [])])
        #expect(try await scene.take(1).map(\.ticket.job) == [2])
        let report = try #require(try await scene.reports(1).first)
        guard case .failed(let failure) = report.outcome else { Issue.record("\(report)"); return }
        #expect(report.id == AttemptID(job: 1, attempt: 1) && failure.failureClass == .environment)
        #expect(scene.said.entries.map(\.bytes) == [bytes])
        #expect(try await scene.stored().count == 1, "workers of that version can read it")
    }

    @Test("stand in the tickets of an earlier version, which are read", .timeLimit(.minutes(1)))
    func earlierTickets() async throws {
        let scene = try await SourceScene()
        let tickets = (Int64(1)...2).map { SourceScene.ticket($0, [SourceScene.reference("film")]) }
        for ticket in tickets {
            let bytes = [UInt8](try JSONEncoder().encode(ticket))
            _ = try await scene.redis.send(.xadd(SourceScene.stream, [.init("json", bytes)]))
        }
        #expect(try await scene.coordinator.held() == Set(tickets.map(\.identity)))
        #expect(try await scene.take(1).map(\.ticket) == [tickets[0]])
        #expect(try await scene.coordinator.withdrawUnread(age: .zero, besides: []).map(\.identity) == [tickets[1].identity])
        #expect(try await scene.coordinator.reclaimExpired(idle: .zero).map(\.identity) == [tickets[0].identity])
        #expect(scene.said.entries.isEmpty)
    }

    @Test("cannot be overlooked by a worker of an earlier version, which reads other tickets")
    func earlierWorkers() async throws {
        let scene = try await SourceScene()
        let (bare, full) = (SourceScene.ticket(1, []), SourceScene.ticket(2, [SourceScene.reference("film")]))
        try await scene.coordinator.send([bare, full])
        let entries = try await scene.redis.send(.xrange(SourceScene.stream, count: 10)).map { Data($0["json"] ?? []) }
        try #require(entries.count == 2)
        #expect(try JSONDecoder().decode(JobTicket.self, from: entries[0]) == bare)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(JobTicket.self, from: entries[1]) }
    }

    @Test("are not needed to hold, withdraw and reclaim tickets")
    func identities() async throws {
        let scene = try await SourceScene()
        let tickets = (Int64(1)...2).map { SourceScene.ticket($0, [SourceScene.reference("film")], attempt: 3) }
        try await scene.coordinator.send(tickets)
        #expect(try await scene.take(1).map(\.ticket) == [tickets[0]])
        for key in try await scene.stored() { _ = try await scene.server.ask(["DEL", key]) }
        #expect(try await scene.coordinator.held() == Set(tickets.map(\.identity)))
        #expect(try await scene.coordinator.withdrawUnread(age: .zero, besides: []).map(\.identity) == [tickets[1].identity])
        #expect(try await scene.coordinator.reclaimExpired(idle: .zero).map(\.identity) == [tickets[0].identity])
        #expect(try await scene.coordinator.held().isEmpty)
        #expect(scene.said.entries.isEmpty)
    }

    @Test(
        "are kept in memory within bounds, and tickets are complete where none fits",
        arguments: [CacheLimits(count: 2, byteCount: 1 << 20), CacheLimits(count: 100, byteCount: 1)])
    func bounds(limits: CacheLimits) async throws {
        let scene = try await SourceScene(limits)
        let references = (1...6).map { SourceScene.reference("film \($0)") }
        let tickets = (0..<24).map { SourceScene.ticket(Int64($0), [references[$0 % 6], references[($0 + 1) % 6]]) }
        for few in [tickets.prefix(7), tickets.dropFirst(7)] { try await scene.coordinator.send(Array(few)) }
        #expect(try await scene.stored().count == 6)
        var taken: [JobTicket] = []
        while taken.count < tickets.count { taken += try await scene.take(1).map(\.ticket) }
        #expect(taken == tickets)
        for queue in [scene.coordinator, scene.worker] {
            let kept = await queue.keptSources
            #expect(kept.count <= limits.count && kept.byteCount <= limits.byteCount)
        }
    }

    @Test("with 100 000 keyframes make tickets no longer, and megabytes are sent once")
    func size() async throws {
        let scene = try await SourceScene()
        let film = SourceScene.reference("film", keyframes: 100_000)
        let tickets = (Int64(1)...50).map { SourceScene.ticket($0, [film]) }
        let before = try JSONEncoder().encode(tickets[0]).count
        let began = ContinuousClock.now
        try await scene.coordinator.send(tickets)
        let sent = ContinuousClock.now
        let received = try await scene.take(50).map(\.ticket)
        let taken = ContinuousClock.now
        let isSame = received == tickets  // not in the expectation, which might print them
        #expect(isSame)
        let entries = try await scene.redis.send(.xrange(SourceScene.stream, count: 100))
        let sizes = entries.compactMap { $0["json"]?.count }
        let after = try #require(sizes.max())
        let key = try #require(try await scene.stored().first)
        let length = try await scene.server.ask(["STRLEN", key])
        let once = try #require(Int(length))
        let bare = try JSONEncoder().encode(SourceScene.ticket(1, [])).count
        #expect(after < bare + 300 && before > once)
        print(
            "a ticket with a source of 100 000 keyframes has \(before) bytes with the source and \(after) bytes without, and "
                + "the source \(once) bytes once; \(tickets.count) tickets were sent in \(began.duration(to: sent)) and taken "
                + "in \(sent.duration(to: taken))")
    }
}

/// A coordinator and a worker at one Redis server.
private struct SourceScene {
    static let stream = "spool:jobs:audio:default"

    let server: RedisServer
    /// A connection of the test's own.
    let redis: RedisClient
    let coordinator: RedisJobQueue
    let worker: RedisJobQueue
    /// What both could not read.
    let said: Said

    init(_ limits: CacheLimits = CacheLimits(count: 100, byteCount: 16 << 20)) async throws {
        let server = try await RedisServer.start()
        let configuration = try RedisConfiguration(url: server.url)
        let said = Said()
        let coordinator = RedisJobQueue(RedisClient(configuration), sourceLimits: limits) { said.add($0) }
        _ = try await coordinator.prepare(pools: QueueFixture.pools)
        self.server = server
        self.said = said
        self.coordinator = coordinator
        redis = RedisClient(configuration)
        worker = RedisJobQueue(RedisClient(configuration), sourceLimits: limits) { said.add($0) }
    }

    /// Another worker's end of the queue.
    func queue() throws -> RedisJobQueue {
        let heard = said
        return RedisJobQueue(RedisClient(try RedisConfiguration(url: server.url))) { heard.add($0) }
    }

    /// The keys of all sources that Redis has.
    func stored() async throws -> [String] {
        try await server.ask(["KEYS", "spool:source:*"]).split(separator: "\n").map { String($0) }
    }

    /// Takes this many tickets, with as many calls as it needs.
    func take(
        _ count: Int, _ roles: [WorkerRole] = [.audio], at queue: RedisJobQueue? = nil, as name: String = "w1"
    ) async throws -> [JobDelivery] {
        let queue = queue ?? worker
        var taken: [JobDelivery] = []
        let deadline = ContinuousClock.now + QueueFixture.timeout
        while taken.count < count, ContinuousClock.now < deadline {
            taken += try await queue.take(
                roles: roles, pools: ["default"], worker: name, limit: count - taken.count, wait: .milliseconds(100))
        }
        try #require(taken.count == count)
        return taken
    }

    /// The next reports, which are acknowledged.
    func reports(_ count: Int) async throws -> [JobReport] {
        var reports: [JobReport] = []
        let deadline = ContinuousClock.now + QueueFixture.timeout
        while reports.count < count, ContinuousClock.now < deadline {
            let more = try await coordinator.reports(limit: 10, wait: .seconds(1))
            try await coordinator.acknowledge(more)
            reports += more.map(\.report)
        }
        return reports
    }

    static func ticket(
        _ job: Int64, _ sources: [SourceReference], _ kind: JobKind = .audio, attempt: Int = 1
    ) -> JobTicket {
        var ticket = QueueFixture.ticket(job, kind, attempt: attempt)
        if !sources.isEmpty { ticket.work = ticket.work.with(sources: sources) }
        return ticket
    }

    /// A film of which every picture is a keyframe.
    static func reference(_ name: String, keyframes: Int = 3) -> SourceReference {
        let video = VideoFacts(
            streamIndex: 0, codec: "prores", size: FrameSize(width: 1920, height: 1080), orientation: .upright,
            sampleAspectRatio: .one, pixelFormat: "yuv422p10le", hasAlpha: false, color: .bt709, timeBase: Rational(1, 25),
            frameRate: FrameRate(25), isVariableFrameRate: false, frameCount: keyframes,
            duration: MediaTime(index: keyframes, rate: 25), keyframes: (0..<keyframes).map { MediaTime(index: $0, rate: 25) },
            isStill: false)
        let facts = SourceFacts(
            contentHash: ContentHash.of(name.utf8), byteCount: 1000, container: "mov", origin: .zero, video: video, audio: nil)
        return SourceReference(facts: facts, path: "/media/\(name).mov")
    }
}
