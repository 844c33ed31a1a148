extension RedisRequest where Reply == Int {
    /// HSET: how many of the fields are new.
    /// - Parameter fields: at least one.
    package static func hset(_ key: String, _ fields: [String: some RedisArgument]) -> Self {
        var command = RedisCommand("HSET", key)
        for (name, value) in fields { command.append(name, value) }
        return Self(command) { try $0.integer }
    }

    /// HDEL: how many of the fields existed.
    package static func hdel(_ key: String, _ names: [String]) -> Self {
        var command = RedisCommand("HDEL", key)
        command.append(each: names)
        return Self(command) { try $0.integer }
    }

    /// HINCRBY: the new number; a missing field counts as 0.
    package static func hincr(_ key: String, _ name: String, by step: Int = 1) -> Self {
        Self(RedisCommand("HINCRBY", key, name, step)) { try $0.integer }
    }
}

extension RedisRequest where Reply == [UInt8]? {
    /// HGET: nil when there is no such field.
    package static func hget(_ key: String, _ name: String) -> Self {
        Self(RedisCommand("HGET", key, name)) { try $0.ifPresent?.bytes }
    }
}

extension RedisRequest where Reply == [[UInt8]?] {
    /// HMGET: a value for each name, in order.
    package static func hmget(_ key: String, _ names: [String]) -> Self {
        var command = RedisCommand("HMGET", key)
        command.append(each: names)
        return Self(command) { try $0.array.map { try $0.ifPresent?.bytes } }
    }
}

extension RedisRequest where Reply == [String: [UInt8]] {
    /// HGETALL: every field; none when there is no such key.
    package static func hgetall(_ key: String) -> Self {
        Self(RedisCommand("HGETALL", key)) { try $0.map.mapValues { try $0.bytes } }
    }
}
