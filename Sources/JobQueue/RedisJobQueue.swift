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

    public init(_ redis: RedisClient) {
        self.redis = redis
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

    /// What an entry carries; nil when somebody else put it there.
    static func value<Value: Decodable>(_ type: Value.Type, of entry: RedisStreamEntry) -> Value? {
        entry[field].flatMap { try? decode(type, $0) }  // a foreign entry is passed over
    }

    /// The one field of every entry.
    static let field = "json"
}
