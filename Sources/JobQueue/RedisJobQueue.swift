public import Redis

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The queue on Redis Streams: a stream for each role and pool with one consumer group, a stream of reports back, and a key
/// with a time to live for each worker.
///
/// Used by one coordinator, or by one worker. Everything in it may vanish at any moment: a missing group is made anew, and a
/// missing epoch tells the coordinator to fill it again.
public actor RedisJobQueue {
    let redis: RedisClient
    /// Of this coordinator, unlike that of any other.
    let epoch: String
    /// Streams of jobs that this coordinator has used.
    var streams: Set<String> = []
    /// Reports that were handed out and not acknowledged, in order.
    var outstanding: [ReportDelivery] = []
    var hasClaimedReports = false
    /// Workers whose last status could not be read: that is said once.
    var illegibleWorkers: Set<String> = []
    let passOver: @Sendable (IllegibleEntry) -> Void

    /// - Parameter passOver: hears of everything in Redis that cannot be read, once each. The queue has dealt with it already
    ///   and goes on.
    public init(_ redis: RedisClient, passOver: @escaping @Sendable (IllegibleEntry) -> Void = { _ in }) {
        self.redis = redis
        self.passOver = passOver
        epoch = UUID().uuidString
    }

    /// What is wrong with the server's settings and how to mend it; nil when nothing is.
    public func complaint() async throws -> String? {
        let policy = try await redis.send(.maxmemoryPolicy)
        guard policy != "noeviction" else { return nil }
        return
            "Redis is set to throw keys away when memory is short (maxmemory-policy \(policy)), which would lose jobs on their "
            + "way; set it with: redis-cli CONFIG SET maxmemory-policy noeviction"
    }

    static func encode(_ value: some Encodable) throws -> [UInt8] { [UInt8](try JSONEncoder().encode(value)) }

    static func decode<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) throws -> Value {
        try JSONDecoder().decode(type, from: Data(bytes))
    }

    /// What an entry carries; nil when somebody else put it there, or another version of this program.
    static func value<Value: Decodable>(_ type: Value.Type, of entry: RedisStreamEntry) -> Value? {
        entry[field].flatMap { try? decode(type, $0) }  // the caller deals with what cannot be read
    }

    /// Says that an entry of a stream cannot be read.
    func passOver(_ entry: RedisStreamEntry, in stream: String) {
        passOver(IllegibleEntry(place: "\(stream), entry \(entry.id.description)", bytes: entry[RedisJobQueue.field] ?? []))
    }

    /// The one field of every entry.
    static let field = "json"
}
