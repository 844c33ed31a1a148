package import FarmAPI
import ExportPlan
import FoundationEssentials
import Redis

extension RedisJobQueue: CoordinatorQueue {
    package func prepare(pools: [String]) async throws -> Bool {
        for role in WorkerRole.allCases {
            for pool in pools { streams.formUnion([RedisNames.jobs(role, pool: pool), RedisNames.express(role, pool: pool)]) }
        }
        let known = try await redis.send(.get(RedisNames.epoch)).map { String(decoding: $0, as: UTF8.self) }
        guard known != epoch else { return false }
        // An earlier coordinator may have served other pools.
        streams.formUnion(try await redis.send(.smembers(RedisNames.streams)).map { String(decoding: $0, as: UTF8.self) })
        for stream in streams { try await redis.ensureGroup(RedisNames.workers, on: stream) }
        try await redis.ensureGroup(RedisNames.coordinators, on: RedisNames.reports)
        outstanding = []
        claimedReportsAt = nil
        _ = try await highestJob()
        _ = try await redis.send(.set(RedisNames.epoch, epoch))
        return true
    }

    package func highestJob() async throws -> Int64 {
        let known = try await redis.send(.get(RedisNames.highestJob)).flatMap { Int64(String(decoding: $0, as: UTF8.self)) }
        highestSentJob = known ?? 0
        return highestSentJob
    }

    package func send(_ tickets: [JobTicket]) async throws {
        guard !tickets.isEmpty else { return }
        let used = Set(tickets.map(RedisNames.jobs))
        streams.formUnion(used)
        var commands = [RedisRequest.sadd(RedisNames.streams, used.sorted()).command]
        var sources = SentSources()
        for ticket in tickets {
            var digests: [String] = []
            for reference in ticket.work.references { digests.append(try sources.name(reference, &sentSources)) }
            let entry = try RedisJobQueue.encode(TicketEntry(ticket, sources: digests))
            commands.append(RedisRequest.xadd(RedisNames.jobs(ticket), [.init(RedisJobQueue.field, entry)]).command)
        }
        let highest = max(highestSentJob, tickets.map(\.job).max() ?? 0)
        if highest > highestSentJob {
            commands.append(RedisRequest.set(RedisNames.highestJob, "\(highest)").command)
        }
        // A worker looks for a ticket's sources as soon as it has the ticket, so they come first.
        let storing = try await keep(sources)
        for answer in try await redis.pipeline(storing + commands) { _ = try answer.get() }
        highestSentJob = highest
    }

    package func reports(limit: Int, wait: Duration) async throws -> [ReportDelivery] {
        if outstanding.isEmpty { outstanding = try await claimReports() }
        if outstanding.isEmpty { outstanding = try await readReports(limit, wait) }
        return Array(outstanding.prefix(limit))
    }

    /// Reports that another coordinator took and did not acknowledge. They are claimed again and again, because a
    /// coordinator that was stopped may take some when it goes on, although it does not lead any more.
    private func claimReports() async throws -> [ReportDelivery] {
        if let last = claimedReportsAt, last.duration(to: .now) < .seconds(5) { return [] }
        let now = ContinuousClock.now
        var claimed: [ReportDelivery] = []
        var start = RedisStreamID.zero
        repeat {
            let step = try await makingMissingGroups(RedisNames.coordinators, on: [RedisNames.reports]) {
                try await redis.send(
                    .xautoclaim(RedisNames.reports, group: RedisNames.coordinators, consumer: "leader", idle: .zero, from: start))
            }
            claimed += try await deliveries(step?.entries ?? [])
            start = step?.next ?? .zero
        } while start != .zero
        claimedReportsAt = now
        return claimed
    }

    private func readReports(_ limit: Int, _ wait: Duration) async throws -> [ReportDelivery] {
        let read = try await makingMissingGroups(RedisNames.coordinators, on: [RedisNames.reports]) {
            try await redis.send(
                .xreadgroup(
                    [RedisNames.reports], group: RedisNames.coordinators, consumer: "leader", count: limit,
                    blocking: .atMost(wait)))
        }
        return try await deliveries(read?[RedisNames.reports] ?? [])
    }

    /// Reports that can be read. An entry that cannot be read counts as a failed attempt where it says which attempt it
    /// is about. Otherwise it is acknowledged and dropped; its job is then missing in `held` and is dispatched again.
    private func deliveries(_ entries: [RedisStreamEntry]) async throws -> [ReportDelivery] {
        var deliveries: [ReportDelivery] = []
        var foreign: [RedisStreamID] = []
        for entry in entries {
            if let report = RedisJobQueue.value(JobReport.self, of: entry) {
                deliveries.append(ReportDelivery(report, entry: entry.id.description))
                continue
            }
            passOver(entry, in: RedisNames.reports)
            guard let head = RedisJobQueue.value(AttemptHead.self, of: entry) else {
                foreign.append(entry.id)
                continue
            }
            let failure = JobFailure(
                .crash, subject: "",
                message: "the worker's report cannot be read; run the same version of spool on all machines")
            let report = JobReport(head.identity, worker: head.worker ?? "unknown", .failed(failure: failure))
            deliveries.append(ReportDelivery(report, entry: entry.id.description))
        }
        if !foreign.isEmpty {
            _ = try await redis.send(.xack(RedisNames.reports, group: RedisNames.coordinators, foreign))
        }
        return deliveries
    }

    package func acknowledge(_ reports: [ReportDelivery]) async throws {
        let done = Set(reports.map(\.entry))
        let ids = done.compactMap { RedisStreamID(text: $0) }
        guard let last = ids.max() else { return }
        outstanding.removeAll { done.contains($0.entry) }
        let oldest = outstanding.compactMap { RedisStreamID(text: $0.entry) }.min()
        let end = RedisRequest.xack(RedisNames.reports, group: RedisNames.coordinators, ids).command
        let trim = RedisRequest.xtrim(RedisNames.reports, before: min(oldest ?? last.next, last.next)).command
        for answer in try await redis.pipeline([end, trim]) { _ = try answer.get() }
    }

    package func reclaimExpired(idle: Duration) async throws -> [JobTicket] {
        var expired: [JobTicket] = []
        let all = streams.sorted()
        let steps = try await each(all) { claim($0, idle, from: .zero) }
        for (stream, first) in steps {
            let taken = try await makingMissingGroups(RedisNames.workers, on: [stream]) {
                try await reclaimExpired(in: stream, idle, first)
            }
            expired += taken ?? []
        }
        try await trim(steps.map(\.stream))
        return expired
    }

    /// Forgets a worker that is gone, with its own stream, unless the worker has taken tickets from the stream: their
    /// leases have to expire first. Tickets that nobody has taken are then missing in `held`, and their jobs are
    /// dispatched again.
    private func forget(worker: String) async throws {
        let stream = RedisNames.jobs(ofWorker: worker)
        let taken = try await makingMissingGroups(RedisNames.workers, on: [stream]) {
            try await redis.send(.xpending(stream, group: RedisNames.workers)).count
        }
        guard taken ?? 0 == 0 else { return }
        _ = try await redis.send(.del([stream]))
        _ = try await redis.send(.srem(RedisNames.streams, [stream]))
        _ = try await redis.send(.srem(RedisNames.roster, [worker]))
        streams.remove(stream)
    }

    private func claim(_ stream: String, _ idle: Duration, from start: RedisStreamID) -> RedisRequest<RedisAutoclaim> {
        .xautoclaim(stream, group: RedisNames.workers, consumer: "leader", idle: idle, from: start)
    }

    /// - Parameter first: the answer to the first step, which is the only one for most streams.
    private func reclaimExpired(
        in stream: String, _ idle: Duration, _ first: RedisAutoclaim
    ) async throws -> [JobTicket] {
        var entries = first.entries
        var start = first.next
        while start != .zero {
            let step = try await redis.send(claim(stream, idle, from: start))
            entries += step.entries
            start = step.next
        }
        if !entries.isEmpty { _ = try await redis.send(.xack(stream, group: RedisNames.workers, entries.map(\.id))) }
        return tickets(entries, of: stream)
    }

    /// The tickets of entries that were taken out of a stream. The job of a ticket that cannot be read is missing in
    /// `held` now and is dispatched again.
    private func tickets(_ entries: [RedisStreamEntry], of stream: String) -> [JobTicket] {
        entries.compactMap { entry in
            guard let read = RedisJobQueue.value(TicketEntry.self, of: entry) else {
                passOver(entry, in: stream)
                return nil
            }
            return read.ticket
        }
    }

    /// Removes the entries of streams that all workers are done with.
    private func trim(_ streams: [String]) async throws {
        // In this order: what is read meanwhile has a higher id than the last that was delivered, and stays.
        let delivered = try await each(streams) { .xinfoGroups($0) }.map { stream, groups in
            (stream: stream, last: groups.first { $0.name == RedisNames.workers }?.lastDelivered ?? .zero)
        }.filter { $0.last != .zero }
        let pending = try await each(delivered.map(\.stream)) { .xpending($0, group: RedisNames.workers) }
        let lowest = Dictionary(uniqueKeysWithValues: pending.map { ($0.stream, $0.reply.range?.lowerBound) })
        let trims = delivered.compactMap { stream, last in
            lowest[stream].map { RedisRequest.xtrim(stream, before: min($0 ?? last.next, last.next)).command }
        }
        for answer in try await redis.pipeline(trims) { _ = try answer.get() }
    }

    /// Sends a request for each of these streams in one go, because a farm has a stream for each worker.
    /// - Returns: the replies, in order. A stream whose group is missing is left out, and its group is made.
    func each<Reply>(
        _ streams: [String], _ request: (String) -> RedisRequest<Reply>
    ) async throws -> [(stream: String, reply: Reply)] {
        let requests = streams.map(request)
        let answers = try await redis.pipeline(requests.map(\.command))
        var replies: [(stream: String, reply: Reply)] = []
        for (stream, (request, answer)) in zip(streams, zip(requests, answers)) {
            let reply = try await makingMissingGroups(RedisNames.workers, on: [stream]) { try request.read(try answer.get()) }
            if let reply { replies.append((stream, reply)) }
        }
        return replies
    }

    package func withdrawUnread(age: Duration, besides workers: [WorkerStatus]) async throws -> [JobTicket] {
        let served = Set(workers.flatMap(RedisNames.jobs(of:)))
        return try await withdrawUnread(age, from: streams.subtracting(served))
    }

    package func withdrawUnread(age: Duration, sentTo workers: [String]) async throws -> [JobTicket] {
        try await withdrawUnread(age, from: streams.intersection(workers.map { RedisNames.jobs(ofWorker: $0) }))
    }

    private func withdrawUnread(_ age: Duration, from streams: Set<String>) async throws -> [JobTicket] {
        var withdrawn: [JobTicket] = []
        for stream in streams.sorted() {
            let unread = try await makingMissingGroups(RedisNames.workers, on: [stream]) {
                try await withdrawUnread(in: stream, age)
            }
            withdrawn += unread ?? []
        }
        return withdrawn
    }

    /// Reads the oldest tickets in the place of a worker, so that no worker that comes meanwhile gets them, too.
    private func withdrawUnread(in stream: String, _ age: Duration) async throws -> [JobTicket] {
        let delivered = try await redis.send(.xinfoGroups(stream)).first { $0.name == RedisNames.workers }?.lastDelivered
        let unread = try await redis.send(.xrange(stream, from: (delivered ?? .zero).next, count: 100_000))
        guard !unread.isEmpty else { return [] }
        // Both the entries' times and this one are by the clock of Redis.
        let now = try await redis.send(.time)
        let count = unread.prefix { $0.id.milliseconds + UInt64(max(0, age / .milliseconds(1))) <= now }.count
        guard count > 0 else { return [] }
        let read = try await redis.send(
            .xreadgroup([stream], group: RedisNames.workers, consumer: "leader", count: count))
        let entries = read[stream] ?? []
        if !entries.isEmpty { _ = try await redis.send(.xack(stream, group: RedisNames.workers, entries.map(\.id))) }
        try await trim([stream])
        return tickets(entries, of: stream)
    }

    package func ping() async throws { try await redis.send(.ping) }

    package func cancel(_ attempts: [AttemptID]) async throws {
        guard !attempts.isEmpty else { return }
        let mark = RedisRequest.sadd(RedisNames.cancelled, attempts.map(\.text)).command
        // Attempts end long before an hour is over, so the marks need not last longer.
        let fade = RedisRequest.expire(RedisNames.cancelled, in: .seconds(3600)).command
        for answer in try await redis.pipeline([mark, fade]) { _ = try answer.get() }
    }

    package func drain(_ worker: WorkerStatus) async throws { try await ask(worker, "") }

    package func resume(_ worker: WorkerStatus) async throws { try await ask(worker, RedisNames.resuming) }

    private func ask(_ worker: WorkerStatus, _ beginning: String) async throws {
        let started = beginning + "\(worker.startedAt.timeIntervalSince1970)"
        _ = try await redis.send(
            .set(RedisNames.drain(ofWorker: worker.id), Array(started.utf8), expiresIn: .seconds(3600)))
    }

    package func workers() async throws -> [WorkerStatus] {
        let ids = try await redis.send(.smembers(RedisNames.roster)).map { String(decoding: $0, as: UTF8.self) }.sorted()
        guard !ids.isEmpty else { return [] }
        let statuses = try await redis.send(.mget(ids.map(RedisNames.status)))
        let gone = zip(ids, statuses).filter { $1 == nil }.map(\.0)
        for id in gone { try await forget(worker: id) }
        return zip(ids, statuses).compactMap { id, bytes in bytes.flatMap { status(of: id, $0) } }
    }

    /// A worker's status; nil where it cannot be read, which is reported once for as long as that is so.
    private func status(of worker: String, _ bytes: [UInt8]) -> WorkerStatus? {
        guard let status = try? RedisJobQueue.decode(WorkerStatus.self, bytes) else {  // of another version, or not ours
            if unreadableWorkers.insert(worker).inserted {
                passOver(UnreadableEntry(place: RedisNames.status(ofWorker: worker), bytes: bytes))
            }
            return nil
        }
        unreadableWorkers.remove(worker)
        return status
    }

    /// Runs `body`. Where a stream or its group is missing because Redis was flushed, makes them and returns nil.
    func makingMissingGroups<Result: Sendable>(
        _ group: String, on streams: [String], _ body: () async throws -> Result
    ) async throws -> Result? {
        do {
            return try await body()
        } catch let error as RedisError where error.code == .noGroup || error.isMissingKey {
            for stream in streams { try await redis.ensureGroup(group, on: stream) }
            return nil
        }
    }
}

extension AttemptID {
    /// The attempt as the text `job:attempt`.
    var text: String { "\(job):\(attempt)" }
}

extension RedisStreamID {
    /// The smallest id after this one.
    var next: RedisStreamID { RedisStreamID(milliseconds: milliseconds, sequence: sequence + 1) }
}

extension RedisError {
    /// Whether this is XINFO's error for a stream that does not exist.
    fileprivate var isMissingKey: Bool { code == .server && message.contains("no such key") }
}
