package import FarmAPI
import ExportPlan
import FoundationEssentials
import Redis

extension RedisJobQueue: WorkerQueue {
    package func take(
        roles: [WorkerRole], pools: [String], worker: String, limit: Int, wait: Duration
    ) async throws -> [JobDelivery] {
        let own = RedisNames.jobs(ofWorker: worker)
        if !ownStreams.contains(own) {
            try await redis.ensureGroup(RedisNames.workers, on: own)
            ownStreams.insert(own)
        }
        // Jobs that only this worker may do come first.
        let streams = RedisNames.jobs(ofWorker: worker, roles: roles, pools: pools)
        let taken = try await makingMissingGroups(RedisNames.workers, on: streams) {
            let read = try await redis.readGroup(
                firstOf: streams, group: RedisNames.workers, consumer: worker, count: limit)
            let taken = try await tickets(read, of: streams, worker)
            guard taken.isEmpty else { return taken }
            // A blocking read returns the first entry that arrives, from one stream.
            let first = try await redis.send(
                .xreadgroup(streams, group: RedisNames.workers, consumer: worker, count: 1, blocking: .atMost(wait)))
            return try await tickets(first, of: streams, worker)
        }
        guard let taken else {
            // The groups are new, and nothing is in them before the coordinator has noticed the loss, too.
            try await Task.sleep(for: .milliseconds(100))
            return []
        }
        return try await complete(taken, worker)
    }

    /// The tickets of entries that were taken from streams, in the order of the streams.
    private func tickets(
        _ read: [String: [RedisStreamEntry]], of streams: [String], _ worker: String
    ) async throws -> [TakenTicket] {
        var taken: [TakenTicket] = []
        for stream in streams {
            for entry in read[stream] ?? [] {
                if let ticket = RedisJobQueue.value(TicketEntry.self, of: entry) {
                    let delivery = JobDelivery(ticket.ticket, queue: stream, entry: entry.id.description)
                    taken.append(TakenTicket(delivery: delivery, sources: ticket.sources))
                } else {
                    try await refuse(entry, in: stream, worker)
                }
            }
        }
        return taken
    }

    /// Refuses a ticket that this worker cannot read. Where the ticket says which attempt it is, the coordinator is
    /// told and gives the job to other workers.
    private func refuse(_ entry: RedisStreamEntry, in stream: String, _ worker: String) async throws {
        passOver(entry, in: stream)
        let acknowledge = RedisRequest.xack(stream, group: RedisNames.workers, [entry.id])
        guard let head = RedisJobQueue.value(AttemptHead.self, of: entry) else {
            _ = try await redis.send(acknowledge)
            return
        }
        let report = JobReport(
            head.identity, worker: worker, .failed(failure: RedisJobQueue.unreadableTicket(worker)))
        let add = RedisRequest.xadd(RedisNames.reports, [.init(RedisJobQueue.field, try RedisJobQueue.encode(report))])
        _ = try await redis.transaction(add, acknowledge)
    }

    /// The failure of an attempt whose ticket a worker cannot read. Another worker may have the version that can.
    static func unreadableTicket(_ worker: String) -> JobFailure {
        JobFailure(
            .environment, subject: worker,
            message: "cannot read the job's ticket; run the same version of spool on all machines")
    }

    package func renew(_ deliveries: [JobDelivery], worker: String) async throws {
        let commands = Dictionary(grouping: deliveries, by: \.queue).sorted { $0.key < $1.key }.map { queue, items in
            RedisRequest.xclaimJustID(
                queue, group: RedisNames.workers, consumer: worker, items.compactMap { RedisStreamID(text: $0.entry) }
            ).command
        }
        guard !commands.isEmpty else { return }
        for case .failure(let error) in try await redis.pipeline(commands) where error.code != .noGroup {
            throw error
        }
        // A missing group means that Redis was flushed. The coordinator dispatches the job again, and this worker's
        // result counts all the same.
    }

    package func report(_ report: JobReport, finishing: JobDelivery?) async throws {
        let add = RedisRequest.xadd(RedisNames.reports, [.init(RedisJobQueue.field, try RedisJobQueue.encode(report))])
        guard let finishing, let id = RedisStreamID(text: finishing.entry) else {
            _ = try await redis.send(add)
            return
        }
        let acknowledge = RedisRequest.xack(finishing.queue, group: RedisNames.workers, [id])
        _ = try await redis.transaction(add, acknowledge)
    }

    package func heartbeat(_ status: WorkerStatus, lifetime: Duration) async throws -> HeartbeatAnswer {
        let drain = RedisRequest.get(RedisNames.drain(ofWorker: status.id))
        var commands = [
            RedisRequest.set(RedisNames.status(ofWorker: status.id), try RedisJobQueue.encode(status), expiresIn: lifetime)
                .command,
            RedisRequest.sadd(RedisNames.roster, [status.id]).command, drain.command,
        ]
        let attempts = status.attempts
        let marks = attempts.isEmpty ? nil : RedisRequest.smismember(RedisNames.cancelled, attempts.map(\.text))
        if let marks { commands.append(marks.command) }
        let answers = try await redis.pipeline(commands).map { try $0.get() }
        var answer = HeartbeatAnswer()
        if let bytes = try drain.read(answers[2]) {
            let text = String(decoding: bytes, as: UTF8.self)
            let isTakenBack = text.hasPrefix(RedisNames.resuming)
            let started = Double(isTakenBack ? String(text.dropFirst(RedisNames.resuming.count)) : text)
            let isMeant = started.map { status.isOf(processStartedAt: Date(timeIntervalSince1970: $0)) } ?? false
            answer.isToDrain = isMeant && !isTakenBack
            answer.isToResume = isMeant && isTakenBack
        }
        if let marks {
            answer.cancelled = Set(zip(attempts, try marks.read(answers[3])).filter { $1 }.map(\.0))
        }
        return answer
    }

    package func deregister(worker: String) async throws {
        // The coordinator then removes the worker from the roster, and the worker's own stream.
        _ = try await redis.send(.del([RedisNames.status(ofWorker: worker), RedisNames.drain(ofWorker: worker)]))
    }
}
