extension RedisRequest where Reply == Void {
    /// XGROUP CREATE with id 0 and MKSTREAM: a group that gets every existing entry; makes the stream if need be.
    ///
    /// Throws code `busyGroup` where the group exists already; `ensureGroup` does not.
    package static func xgroupCreate(_ stream: String, group: String) -> Self {
        Self(RedisCommand("XGROUP CREATE", stream, group, "0", "MKSTREAM")) { _ in }
    }
}

extension RedisCommands {
    /// Makes a group that gets every existing entry, and the stream if need be.
    /// - Returns: whether the group is new; an existing group stays as it is.
    @discardableResult
    package func ensureGroup(_ group: String, on stream: String) async throws -> Bool {
        do {
            try await send(.xgroupCreate(stream, group: group))
            return true
        } catch let error as RedisError where error.code == .busyGroup {
            return false
        }
    }
}

extension RedisRequest where Reply == [String: [RedisStreamEntry]] {
    /// XREADGROUP: entries that no consumer of the group has read yet, by stream. They are pending from then on.
    ///
    /// When a blocking read is cancelled or loses its connection, entries may be pending that no consumer saw. They
    /// have to be claimed.
    /// - Parameters:
    ///   - count: the most entries of each stream.
    ///   - blocking: how long to wait where there are no entries; nil does not wait.
    /// - Returns: only streams that have entries.
    package static func xreadgroup(
        _ streams: [String], group: String, consumer: String, count: Int, blocking: RedisCommand.Blocking? = nil
    ) -> Self {
        var command = RedisCommand("XREADGROUP", "GROUP", group, consumer, "COUNT", count, blocking: blocking)
        if let blocking { command.append("BLOCK", blocking.milliseconds) }
        command.append("STREAMS")
        command.append(each: streams)
        command.append(each: streams.map { _ in ">" })
        return Self(command) { try $0.entriesByStream }
    }
}

extension RedisCommands {
    /// Reads entries that no consumer of the group has read yet, from the first of the streams that has some, in one
    /// command. They are pending from then on. It does not wait.
    ///
    /// XREADGROUP itself returns up to `count` entries of each stream.
    /// - Returns: entries of one stream, or nothing.
    package func readGroup(
        firstOf streams: [String], group: String, consumer: String, count: Int
    ) async throws -> [String: [RedisStreamEntry]] {
        try await evaluate(readFirst, keys: streams, arguments: [group, consumer, count]).entriesByStream
    }
}

/// The group, the consumer and the number of entries are the arguments.
private let readFirst = """
    for _, stream in ipairs(KEYS) do
      local read = redis.pcall('XREADGROUP', 'GROUP', ARGV[1], ARGV[2], 'COUNT', ARGV[3], 'STREAMS', stream, '>')
      if read and read.err then return redis.error_reply(read.err) end
      if read then return read end
    end
    return false
    """

extension RedisValue {
    /// The entries by stream of an answer of XREADGROUP.
    fileprivate var entriesByStream: [String: [RedisStreamEntry]] {
        get throws {
            var read: [String: [RedisStreamEntry]] = [:]
            for stream in try ifPresent?.array ?? [] {
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
    /// XACK: how many of the entries were pending. Any consumer may acknowledge, so this does not prove who did the
    /// work.
    package static func xack(_ stream: String, group: String, _ ids: [RedisStreamID]) -> Self {
        var command = RedisCommand("XACK", stream, group)
        command.append(each: ids)
        return Self(command) { try $0.integer }
    }

    /// XGROUP DELCONSUMER: how many entries the consumer had pending. They are no longer pending, and no consumer gets
    /// them again.
    package static func xgroupDelconsumer(_ stream: String, group: String, consumer: String) -> Self {
        Self(RedisCommand("XGROUP DELCONSUMER", stream, group, consumer)) { try $0.integer }
    }
}

extension RedisRequest where Reply == [RedisStreamID] {
    /// XCLAIM JUSTID: gives entries to a consumer, as if they were delivered now; their delivery count stays.
    /// - Parameter idle: only entries that no consumer has touched for this time.
    /// - Returns: the entries that the consumer has now; entries that are no longer pending are missing.
    package static func xclaimJustID(
        _ stream: String, group: String, consumer: String, idle: Duration = .zero, _ ids: [RedisStreamID]
    ) -> Self {
        var command = RedisCommand("XCLAIM", stream, group, consumer, idle.redisIdleTime)
        command.append(each: ids)
        command.append("JUSTID")
        return Self(command) { try $0.array.map(RedisStreamID.init) }
    }
}

/// One step of XAUTOCLAIM.
package struct RedisAutoclaim: Sendable, Equatable {
    /// Where the next step starts; zero when all entries were seen.
    package let next: RedisStreamID
    /// The entries that the consumer has now.
    package let entries: [RedisStreamEntry]
    /// Pending entries that had been trimmed away; they are no longer pending.
    package let deleted: [RedisStreamID]
}

extension RedisRequest where Reply == RedisAutoclaim {
    /// XAUTOCLAIM: takes over entries that no consumer has touched for `idle`. That counts as a delivery.
    /// - Parameters:
    ///   - start: the last step's `next`.
    ///   - count: how many pending entries to look at.
    package static func xautoclaim(
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
    /// Whole milliseconds; 0 means any idle time.
    var redisIdleTime: Int { self <= .zero ? 0 : redisMilliseconds }
}
