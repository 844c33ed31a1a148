import ExportPlan
import Redis

extension RedisJobQueue: CoordinatorQueue {
    public func prepare(pools: [String]) async throws -> Bool {
        for role in WorkerRole.allCases {
            for pool in pools { streams.insert(RedisNames.jobs(role, pool: pool)) }
        }
        let known = try await redis.send(.get(RedisNames.epoch)).map { String(decoding: $0, as: UTF8.self) }
        guard known != epoch else { return false }
        // An earlier coordinator may have served other pools.
        streams.formUnion(try await redis.send(.smembers(RedisNames.streams)).map { String(decoding: $0, as: UTF8.self) })
        for stream in streams { try await redis.ensureGroup(RedisNames.workers, on: stream) }
        try await redis.ensureGroup(RedisNames.coordinators, on: RedisNames.reports)
        outstanding = []
        hasClaimedReports = false
        _ = try await redis.send(.set(RedisNames.epoch, epoch))
        return true
    }

    public func send(_ tickets: [JobTicket]) async throws {
        guard !tickets.isEmpty else { return }
        let used = Set(tickets.map { RedisNames.jobs($0.kind.role, pool: $0.pool) })
        streams.formUnion(used)
        let commands =
            try [RedisRequest.sadd(RedisNames.streams, used.sorted()).command]
            + tickets.map { ticket in
                let stream = RedisNames.jobs(ticket.kind.role, pool: ticket.pool)
                return RedisRequest.xadd(stream, [.init(RedisJobQueue.field, try RedisJobQueue.encode(ticket))]).command
            }
        for answer in try await redis.pipeline(commands) { _ = try answer.get() }
    }

    public func reports(limit: Int, wait: Duration) async throws -> [ReportDelivery] {
        if outstanding.isEmpty {
            outstanding = try await claimReports()
            hasClaimedReports = true
        }
        if outstanding.isEmpty { outstanding = try await readReports(limit, wait) }
        return Array(outstanding.prefix(limit))
    }

    /// Reports that an earlier coordinator took and did not finish with.
    private func claimReports() async throws -> [ReportDelivery] {
        guard !hasClaimedReports else { return [] }
        var claimed: [ReportDelivery] = []
        var start = RedisStreamID.zero
        repeat {
            let step = try await orMakingGroups(RedisNames.coordinators, on: [RedisNames.reports]) {
                try await redis.send(
                    .xautoclaim(RedisNames.reports, group: RedisNames.coordinators, consumer: "leader", idle: .zero, from: start))
            }
            claimed += try await deliveries(step?.entries ?? [])
            start = step?.next ?? .zero
        } while start != .zero
        return claimed
    }

    private func readReports(_ limit: Int, _ wait: Duration) async throws -> [ReportDelivery] {
        let read = try await orMakingGroups(RedisNames.coordinators, on: [RedisNames.reports]) {
            try await redis.send(
                .xreadgroup(
                    [RedisNames.reports], group: RedisNames.coordinators, consumer: "leader", count: limit,
                    blocking: .atMost(wait)))
        }
        return try await deliveries(read?[RedisNames.reports] ?? [])
    }

    /// Reports that can be read. What cannot be is a failed attempt where it says at least which one, and is done with
    /// otherwise: the job is then missed by `held` and dealt out again.
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

    public func acknowledge(_ reports: [ReportDelivery]) async throws {
        let done = Set(reports.map(\.entry))
        let ids = done.compactMap { RedisStreamID(text: $0) }
        guard let last = ids.max() else { return }
        outstanding.removeAll { done.contains($0.entry) }
        _ = try await redis.send(.xack(RedisNames.reports, group: RedisNames.coordinators, ids))
        let oldest = outstanding.compactMap { RedisStreamID(text: $0.entry) }.min()
        _ = try await redis.send(.xtrim(RedisNames.reports, before: min(oldest ?? last.next, last.next)))
    }

    public func takeAbandoned(idle: Duration) async throws -> [JobTicket] {
        var abandoned: [JobTicket] = []
        for stream in streams.sorted() {
            let taken = try await orMakingGroups(RedisNames.workers, on: [stream]) { try await takeAbandoned(in: stream, idle) }
            abandoned += taken ?? []
        }
        return abandoned
    }

    private func takeAbandoned(in stream: String, _ idle: Duration) async throws -> [JobTicket] {
        var entries: [RedisStreamEntry] = []
        var start = RedisStreamID.zero
        repeat {
            let step = try await redis.send(
                .xautoclaim(stream, group: RedisNames.workers, consumer: "leader", idle: idle, from: start))
            entries += step.entries
            start = step.next
        } while start != .zero
        if !entries.isEmpty { _ = try await redis.send(.xack(stream, group: RedisNames.workers, entries.map(\.id))) }
        try await trim(stream)
        return entries.compactMap { entry in
            // One that cannot be read is missed by `held`, and its job is dealt out again.
            guard let ticket = RedisJobQueue.value(JobTicket.self, of: entry) else {
                passOver(entry, in: stream)
                return nil
            }
            return ticket
        }
    }

    /// Removes what every worker is done with.
    private func trim(_ stream: String) async throws {
        let pending = try await redis.send(.xpending(stream, group: RedisNames.workers)).range?.lowerBound
        let group = try await redis.send(.xinfoGroups(stream)).first { $0.name == RedisNames.workers }
        guard let delivered = group?.lastDelivered, delivered != .zero else { return }
        _ = try await redis.send(.xtrim(stream, before: min(pending ?? delivered.next, delivered.next)))
    }

    public func held() async throws -> Set<AttemptID> {
        var all: Set<AttemptID> = []
        for stream in streams {
            let attempts = try await orMakingGroups(RedisNames.workers, on: [stream]) { try await self.held(in: stream) }
            all.formUnion(attempts ?? [])
        }
        return all
    }

    private func held(in stream: String) async throws -> Set<AttemptID> {
        let delivered = try await redis.send(.xinfoGroups(stream)).first { $0.name == RedisNames.workers }?.lastDelivered
        let pending = Set(try await redis.send(.xpending(stream, group: RedisNames.workers, count: 100_000)).map(\.id))
        let entries = try await redis.send(.xrange(stream, count: 100_000))
        let waiting = entries.filter { $0.id > delivered ?? .zero || pending.contains($0.id) }
        return Set(waiting.compactMap { RedisJobQueue.value(AttemptHead.self, of: $0)?.identity })
    }

    public func cancel(_ attempts: [AttemptID]) async throws {
        guard !attempts.isEmpty else { return }
        let mark = RedisRequest.sadd(RedisNames.cancelled, attempts.map(\.text)).command
        // Attempts end long before: the mark need not last.
        let fade = RedisRequest.expire(RedisNames.cancelled, in: .seconds(3600)).command
        for answer in try await redis.pipeline([mark, fade]) { _ = try answer.get() }
    }

    public func workers() async throws -> [WorkerStatus] {
        let ids = try await redis.send(.smembers(RedisNames.roster)).map { String(decoding: $0, as: UTF8.self) }.sorted()
        guard !ids.isEmpty else { return [] }
        let statuses = try await redis.send(.mget(ids.map(RedisNames.status)))
        let gone = zip(ids, statuses).filter { $1 == nil }.map(\.0)
        if !gone.isEmpty { _ = try await redis.send(.srem(RedisNames.roster, gone)) }
        return zip(ids, statuses).compactMap { id, bytes in bytes.flatMap { status(of: id, $0) } }
    }

    /// A worker's status; nil where it cannot be read, which is said once for as long as that is so.
    private func status(of worker: String, _ bytes: [UInt8]) -> WorkerStatus? {
        guard let status = try? RedisJobQueue.decode(WorkerStatus.self, bytes) else {  // of another version, or not ours
            if illegibleWorkers.insert(worker).inserted {
                passOver(IllegibleEntry(place: RedisNames.status(ofWorker: worker), bytes: bytes))
            }
            return nil
        }
        illegibleWorkers.remove(worker)
        return status
    }

    /// Runs `body`; where a stream or its group is missing (Redis was flushed), makes them and answers nil.
    func orMakingGroups<Result: Sendable>(
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
    /// `job:attempt`.
    var text: String { "\(job):\(attempt)" }
}

extension RedisStreamID {
    /// The smallest id after this one.
    var next: RedisStreamID { RedisStreamID(milliseconds: milliseconds, sequence: sequence + 1) }
}

extension RedisError {
    /// XINFO's answer for a stream that is not there.
    fileprivate var isMissingKey: Bool { code == .server && message.contains("no such key") }
}
