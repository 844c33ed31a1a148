extension RedisRequest where Reply == Void {
    /// XGROUP CREATE with id 0 and MKSTREAM: a group that gets every entry there is; makes the stream if need be.
    ///
    /// Throws code `busyGroup` where the group is there already; `ensureGroup` does not mind.
    public static func xgroupCreate(_ stream: String, group: String) -> Self {
        Self(RedisCommand("XGROUP CREATE", stream, group, "0", "MKSTREAM")) { _ in }
    }
}

extension RedisCommands {
    /// Makes a group that gets every entry there is, and the stream if need be.
    /// - Returns: whether it is new; an old one stays as it is.
    @discardableResult
    public func ensureGroup(_ group: String, on stream: String) async throws -> Bool {
        do {
            try await send(.xgroupCreate(stream, group: group))
            return true
        } catch let error as RedisError where error.code == .busyGroup {
            return false
        }
    }
}

extension RedisRequest where Reply == [String: [RedisStreamEntry]] {
    /// XREADGROUP: entries that no consumer of the group has got yet, by stream; they are pending from then on.
    ///
    /// When a blocking read is cancelled or loses its connection, entries may be pending that nobody saw: claim them.
    /// - Parameters:
    ///   - count: the most of each stream.
    ///   - blocking: how long to wait where there is nothing; nil for not at all.
    /// - Returns: only streams that have something.
    public static func xreadgroup(
        _ streams: [String], group: String, consumer: String, count: Int, blocking: RedisCommand.Blocking? = nil
    ) -> Self {
        var command = RedisCommand("XREADGROUP", "GROUP", group, consumer, "COUNT", count, blocking: blocking)
        if let blocking { command.append("BLOCK", blocking.milliseconds) }
        command.append("STREAMS")
        command.append(each: streams)
        command.append(each: streams.map { _ in ">" })
        return Self(command) { value in
            var read: [String: [RedisStreamEntry]] = [:]
            for stream in try value.ifPresent?.array ?? [] {
                let parts = try stream.array
                guard parts.count == 2 else {
                    throw RedisError(.unexpectedReply, "expected a stream and its entries, got \(parts.count) values")
                }
                read[try parts[0].text] = try parts[1].array.map(RedisStreamEntry.init)
            }
            return read
        }
    }
}

extension RedisRequest where Reply == Int {
    /// XACK: how many of the entries were pending. Any consumer may do it, so it proves nothing about who worked.
    public static func xack(_ stream: String, group: String, _ ids: [RedisStreamID]) -> Self {
        var command = RedisCommand("XACK", stream, group)
        command.append(each: ids)
        return Self(command) { try $0.integer }
    }

    /// XGROUP DELCONSUMER: how many entries it had pending. They are pending no more, and nobody gets them again.
    public static func xgroupDelconsumer(_ stream: String, group: String, consumer: String) -> Self {
        Self(RedisCommand("XGROUP DELCONSUMER", stream, group, consumer)) { try $0.integer }
    }
}

extension RedisRequest where Reply == [RedisStreamID] {
    /// XCLAIM JUSTID: makes entries a consumer's own again, as if delivered now; their delivery count stays.
    /// - Parameter idle: only those that nobody has touched for so long.
    /// - Returns: those that it has now; entries that are not pending any more are missing.
    public static func xclaimJustID(
        _ stream: String, group: String, consumer: String, idle: Duration = .zero, _ ids: [RedisStreamID]
    ) -> Self {
        var command = RedisCommand("XCLAIM", stream, group, consumer, idle.redisIdleTime)
        command.append(each: ids)
        command.append("JUSTID")
        return Self(command) { try $0.array.map(RedisStreamID.init) }
    }
}

/// One step of XAUTOCLAIM.
public struct RedisAutoclaim: Sendable, Equatable {
    /// Where the next step starts; zero when all is seen.
    public let next: RedisStreamID
    /// What the consumer has now.
    public let entries: [RedisStreamEntry]
    /// Pending entries that had been trimmed away; they are pending no more.
    public let deleted: [RedisStreamID]
}

extension RedisRequest where Reply == RedisAutoclaim {
    /// XAUTOCLAIM: takes over entries that nobody has touched for a time; counts as a delivery.
    /// - Parameters:
    ///   - start: the last step's `next`.
    ///   - count: how many pending entries to look at.
    public static func xautoclaim(
        _ stream: String, group: String, consumer: String, idle: Duration, from start: RedisStreamID = .zero, count: Int = 100
    ) -> Self {
        Self(RedisCommand("XAUTOCLAIM", stream, group, consumer, idle.redisIdleTime, start, "COUNT", count)) { value in
            let parts = try value.array
            guard parts.count >= 2 else {
                throw RedisError(.unexpectedReply, "expected an id and entries, got \(parts.count) values")
            }
            return RedisAutoclaim(
                next: try RedisStreamID(parts[0]), entries: try parts[1].array.map(RedisStreamEntry.init),
                // Redis 6.2 has no third part.
                deleted: try parts.dropFirst(2).first?.array.map(RedisStreamID.init) ?? [])
        }
    }
}

extension Duration {
    /// Whole milliseconds, where 0 means any.
    var redisIdleTime: Int { self <= .zero ? 0 : redisMilliseconds }
}
