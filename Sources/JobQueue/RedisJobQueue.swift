import ExportPlan
package import Redis
import FoundationEssentials

/// The queue on Redis Streams: a stream with one consumer group for each role and pool, a stream of reports, and keys with
/// a time to live for each worker and for each source of jobs that were sent lately.
///
/// One coordinator or one worker uses an instance. Everything in Redis may vanish at any moment: a missing group is
/// made again, and a missing epoch tells the coordinator to fill the queue again.
package actor RedisJobQueue {
    let redis: RedisClient
    /// The id of this coordinator, different from that of any other.
    let epoch: String
    /// Streams of jobs that this coordinator has used.
    var streams: Set<String> = []
    /// The highest number of a job whose ticket was sent, as far as this coordinator knows.
    var highestSentJob: Int64 = 0
    /// Reports that were delivered and not acknowledged, in order.
    var outstanding: [ReportDelivery] = []
    /// When reports that were delivered to others were last claimed; nil before the first time.
    var claimedReportsAt: ContinuousClock.Instant?
    /// Workers whose last status could not be read; each is reported once.
    var unreadableWorkers: Set<String> = []
    /// Workers' own streams that this instance has made.
    var ownStreams: Set<String> = []
    /// The digests of references that tickets were sent with.
    var sentSources: RecentValues<ReferenceIdentity, String>
    /// References that tickets were taken with, by their digests.
    var receivedSources: RecentValues<String, SourceReference>
    /// The digests of references that could not be read; each is reported once.
    var unreadableSources: Set<String> = []
    let passOver: @Sendable (UnreadableEntry) -> Void

    /// - Parameters:
    ///   - sourceLimits: how many references to sources are kept in memory, and how many bytes they have as JSON. Facts
    ///     take up to three times as much in memory.
    ///   - passOver: called once for each thing in Redis that cannot be read. The queue has dealt with it already and
    ///     goes on.
    package init(
        _ redis: RedisClient, sourceLimits: CacheLimits = CacheLimits(count: 10_000, byteCount: 64 << 20),
        passOver: @escaping @Sendable (UnreadableEntry) -> Void = { _ in }
    ) {
        self.redis = redis
        self.passOver = passOver
        sentSources = RecentValues(sourceLimits)
        receivedSources = RecentValues(sourceLimits)
        epoch = UUID().uuidString
    }

    /// How many references to sources are kept in memory for `send` and for `take`, and their bytes as JSON.
    package var keptSources: (count: Int, byteCount: Int) {
        (sentSources.count + receivedSources.count, sentSources.byteCount + receivedSources.byteCount)
    }

    /// The reason why the server's settings cannot be used, and what to do; nil when they can.
    package func complaint() async throws -> String? {
        let policy = try await redis.send(.maxmemoryPolicy)
        guard policy != "noeviction" else { return nil }
        return
            "Redis is set to discard keys when memory is short (maxmemory-policy \(policy)), which would lose jobs on their "
            + "way; set it with: redis-cli CONFIG SET maxmemory-policy noeviction"
    }

    static func encode(_ value: some Encodable) throws -> [UInt8] { [UInt8](try JSONEncoder().encode(value)) }

    static func decode<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) throws -> Value {
        try JSONDecoder().decode(type, from: Data(bytes))
    }

    /// The value that an entry carries; nil when something else or another version of this program wrote it.
    static func value<Value: Decodable>(_ type: Value.Type, of entry: RedisStreamEntry) -> Value? {
        entry[field].flatMap { try? decode(type, $0) }  // the caller deals with what cannot be read
    }

    /// Reports that an entry of a stream cannot be read.
    func passOver(_ entry: RedisStreamEntry, in stream: String) {
        passOver(UnreadableEntry(place: "\(stream), entry \(entry.id.description)", bytes: entry[RedisJobQueue.field] ?? []))
    }

    /// The one field of every entry.
    static let field = "json"
}
