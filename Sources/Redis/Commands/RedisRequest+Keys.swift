/// When SET may write.
package enum RedisSetCondition: String, Sendable {
    /// Only where the key does not exist.
    case absent = "NX"
    /// Only where the key exists.
    case present = "XX"
}

extension RedisRequest where Reply == Bool {
    /// SET: false when the condition did not hold, and nothing was written.
    /// - Parameter expiresIn: at least a millisecond; nil keeps the value for good.
    package static func set(
        _ key: String, _ value: some RedisArgument, expiresIn: Duration? = nil, onlyIf condition: RedisSetCondition? = nil
    ) -> Self {
        var command = RedisCommand("SET", key, value)
        if let expiresIn { command.append("PX", expiresIn.redisMilliseconds) }
        if let condition { command.append(condition.rawValue) }
        return Self(command) { $0 != .null }
    }

    /// PEXPIRE: false when there is no such key.
    package static func expire(_ key: String, in time: Duration) -> Self {
        Self(RedisCommand("PEXPIRE", key, time.redisMilliseconds)) { try $0.integer == 1 }
    }
}

extension RedisRequest where Reply == [UInt8]? {
    /// GET: nil when there is no such key.
    package static func get(_ key: String) -> Self { Self(RedisCommand("GET", key)) { try $0.ifPresent?.bytes } }
}

extension RedisRequest where Reply == [[UInt8]?] {
    /// MGET: a value for each key, in order.
    package static func mget(_ keys: [String]) -> Self {
        var command = RedisCommand("MGET")
        command.append(each: keys)
        return Self(command) { try $0.array.map { try $0.ifPresent?.bytes } }
    }
}

extension RedisRequest where Reply == Int {
    /// DEL: how many of the keys existed.
    package static func del(_ keys: [String]) -> Self { counting("DEL", keys) }

    /// EXISTS: how many of the keys exist.
    package static func exists(_ keys: [String]) -> Self { counting("EXISTS", keys) }

    /// INCRBY: the new number; a missing key counts as 0.
    package static func incr(_ key: String, by step: Int = 1) -> Self {
        Self(RedisCommand("INCRBY", key, step)) { try $0.integer }
    }

    /// PUBLISH: how many connections got the message.
    package static func publish(_ payload: some RedisArgument, to channel: String) -> Self {
        Self(RedisCommand("PUBLISH", channel, payload)) { try $0.integer }
    }

    /// A command on a list of keys that answers with a number.
    private static func counting(_ name: String, _ keys: [String]) -> Self {
        var command = RedisCommand(name)
        command.append(each: keys)
        return Self(command) { try $0.integer }
    }
}

extension RedisRequest where Reply == Duration? {
    /// PTTL: how long the key still lives; nil when it does not exist or does not expire.
    package static func ttl(_ key: String) -> Self {
        Self(RedisCommand("PTTL", key)) { value in
            let milliseconds = try value.integer
            return milliseconds < 0 ? nil : .milliseconds(milliseconds)
        }
    }
}
