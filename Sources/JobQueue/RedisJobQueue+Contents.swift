package import FarmAPI
import Redis

/// The contents of the queue.
extension RedisJobQueue {
    /// How many entries of a stream are read. A farm sends a few for each slot.
    private static let limit = 100_000

    package func reported() async throws -> Set<AttemptID> { attempts(reportedIn: try await reportEntries()) }

    package func held() async throws -> Set<AttemptID> {
        let found = try await tickets(in: streams.sorted())
        return Set(found.waiting.map(\.id)).union(found.taken.map(\.id))
    }

    package func contents() async throws -> QueueContents {
        let named = try await redis.send(.smembers(RedisNames.streams)).map { String(decoding: $0, as: UTF8.self) }
        var contents = try await tickets(in: streams.union(named).sorted())
        let reports = try await reportEntries()
        contents.reported = attempts(reportedIn: reports)
        let now = try await redis.send(.time)
        contents.reportAge = reports.first.map { $0.id.age(at: now) }
        return contents
    }

    private func reportEntries() async throws -> [RedisStreamEntry] {
        try await redis.send(.xrange(RedisNames.reports, count: RedisJobQueue.limit))
    }

    private func attempts(reportedIn entries: [RedisStreamEntry]) -> Set<AttemptID> {
        let reports = entries.compactMap { RedisJobQueue.value(JobReport.self, of: $0) }
        return Set(reports.filter(\.isFinal).map(\.id))
    }

    /// The tickets in streams, without those that cannot be read.
    private func tickets(in streams: [String]) async throws -> QueueContents {
        // In this order: what is read meanwhile counts as waiting or as taken, or as both.
        let delivered = try await each(streams) { .xinfoGroups($0) }
        let pending = try await each(delivered.map(\.stream)) {
            .xpending($0, group: RedisNames.workers, count: RedisJobQueue.limit)
        }
        let taken = Dictionary(uniqueKeysWithValues: pending.map { ($0.stream, $0.reply) })
        let entries = try await each(delivered.map(\.stream)) { .xrange($0, count: RedisJobQueue.limit) }
        let all = Dictionary(uniqueKeysWithValues: entries.map { ($0.stream, $0.reply) })
        let now = try await redis.send(.time)
        var contents = QueueContents()
        for (stream, groups) in delivered {
            guard let readers = RedisNames.readers(ofStream: stream) else { continue }
            let last = groups.first { $0.name == RedisNames.workers }?.lastDelivered ?? .zero
            let states = Dictionary((taken[stream] ?? []).map { ($0.id, $0) }) { first, _ in first }
            for entry in all[stream] ?? [] {
                guard let id = RedisJobQueue.value(AttemptHead.self, of: entry)?.identity else { continue }
                if let state = states[entry.id] {
                    let silence = state.idle / .seconds(1)
                    contents.taken.append(QueueContents.Taken(id, by: state.consumer, silence: silence))
                } else if entry.id > last {
                    contents.waiting.append(QueueContents.Waiting(id, for: readers, age: entry.id.age(at: now)))
                }
            }
        }
        return contents
    }
}

extension RedisStreamID {
    /// How long ago the entry was added, in seconds. The times of entries and `now` are by the clock of Redis.
    fileprivate func age(at now: UInt64) -> Double { Double(now) / 1000 - Double(milliseconds) / 1000 }
}
