/// XPENDING's summary: what a group has delivered and no consumer has acknowledged.
package struct RedisPendingSummary: Sendable, Equatable {
    /// The number of pending entries of all consumers together.
    package let count: Int
    /// The lowest and the highest pending id; nil when nothing is pending.
    package let range: ClosedRange<RedisStreamID>?
    /// How many entries each consumer has; consumers without any are left out.
    package let consumers: [String: Int]
}

/// One pending entry.
package struct RedisPendingEntry: Sendable, Equatable {
    package let id: RedisStreamID
    /// The consumer that has it.
    package let consumer: String
    /// The time since it was last delivered or claimed.
    package let idle: Duration
    /// How often it was read or taken over; claiming with JUSTID does not count.
    package let deliveries: Int
}

/// One group, as XINFO GROUPS describes it.
package struct RedisGroup: Sendable, Equatable {
    package let name: String
    package let consumers: Int
    /// How many entries were delivered and not acknowledged.
    package let pending: Int
    /// The highest id that any consumer has read; zero before the first.
    package let lastDelivered: RedisStreamID
    /// How many entries wait to be delivered. It is nil for good after an XDEL of one of them, because Redis cannot
    /// tell then.
    package let lag: Int?
}

/// One consumer, as XINFO CONSUMERS describes it.
package struct RedisConsumer: Sendable, Equatable {
    package let name: String
    package let pending: Int
    /// The time since it last tried to read or claim.
    package let idle: Duration
}

extension RedisRequest where Reply == RedisPendingSummary {
    /// XPENDING, the summary.
    package static func xpending(_ stream: String, group: String) -> Self {
        Self(RedisCommand("XPENDING", stream, group)) { value in
            let parts = try value.array
            guard parts.count == 4 else {
                throw RedisError(.unexpectedReply, "expected a summary of 4 values, got \(parts.count)")
            }
            let lowest = try parts[1].ifPresent.map(RedisStreamID.init)
            let highest = try parts[2].ifPresent.map(RedisStreamID.init)
            var consumers: [String: Int] = [:]
            for consumer in try parts[3].ifPresent?.array ?? [] {
                let pair = try consumer.array
                // Redis writes this one number as text.
                guard pair.count == 2, let count = Int(try pair[1].text) else {
                    throw RedisError(.unexpectedReply, "expected a consumer and a number, got \(pair.count) values")
                }
                consumers[try pair[0].text] = count
            }
            var range: ClosedRange<RedisStreamID>?
            if let lowest, let highest, lowest <= highest { range = lowest...highest }
            return RedisPendingSummary(count: try parts[0].integer, range: range, consumers: consumers)
        }
    }
}

extension RedisRequest where Reply == [RedisPendingEntry] {
    /// XPENDING, the list, in order of ids.
    /// - Parameters:
    ///   - idle: only entries that no consumer has touched for this time.
    ///   - last: the last id of the previous page.
    ///   - consumer: only this consumer's entries.
    package static func xpending(
        _ stream: String, group: String, idle: Duration = .zero, after last: RedisStreamID? = nil, count: Int,
        consumer: String? = nil
    ) -> Self {
        var command = RedisCommand("XPENDING", stream, group, "IDLE", idle.redisIdleTime)
        command.append(last.map { "(\($0)" } ?? "-", "+", count)
        if let consumer { command.append(consumer) }
        return Self(command) { value in
            try value.array.map { entry in
                let parts = try entry.array
                guard parts.count == 4 else {
                    throw RedisError(.unexpectedReply, "expected a pending entry of 4 values, got \(parts.count)")
                }
                return RedisPendingEntry(
                    id: try RedisStreamID(parts[0]), consumer: try parts[1].text, idle: .milliseconds(try parts[2].integer),
                    deliveries: try parts[3].integer)
            }
        }
    }
}

extension RedisRequest where Reply == [RedisGroup] {
    /// XINFO GROUPS.
    package static func xinfoGroups(_ stream: String) -> Self {
        Self(RedisCommand("XINFO GROUPS", stream)) { value in
            try value.array.map { group in
                let map = try group.map
                return RedisGroup(
                    name: try map["name", default: .null].text, consumers: try map["consumers", default: .null].integer,
                    pending: try map["pending", default: .null].integer,
                    lastDelivered: try RedisStreamID(map["last-delivered-id", default: .null]),
                    lag: try map["lag"]?.ifPresent?.integer)
            }
        }
    }
}

extension RedisRequest where Reply == [RedisConsumer] {
    /// XINFO CONSUMERS.
    package static func xinfoConsumers(_ stream: String, group: String) -> Self {
        Self(RedisCommand("XINFO CONSUMERS", stream, group)) { value in
            try value.array.map { consumer in
                let map = try consumer.map
                return RedisConsumer(
                    name: try map["name", default: .null].text, pending: try map["pending", default: .null].integer,
                    idle: .milliseconds(try map["idle", default: .null].integer))
            }
        }
    }
}
