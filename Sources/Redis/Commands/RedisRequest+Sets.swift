extension RedisRequest where Reply == Int {
    /// SADD: how many of the members are new.
    package static func sadd(_ key: String, _ members: [some RedisArgument]) -> Self {
        var command = RedisCommand("SADD", key)
        command.append(each: members)
        return Self(command) { try $0.integer }
    }

    /// SREM: how many of the members existed.
    package static func srem(_ key: String, _ members: [some RedisArgument]) -> Self {
        var command = RedisCommand("SREM", key)
        command.append(each: members)
        return Self(command) { try $0.integer }
    }

    /// SCARD: how many members there are.
    package static func scard(_ key: String) -> Self { Self(RedisCommand("SCARD", key)) { try $0.integer } }
}

extension RedisRequest where Reply == [Bool] {
    /// SMISMEMBER: for each, in order, whether it is a member.
    package static func smismember(_ key: String, _ members: [some RedisArgument]) -> Self {
        var command = RedisCommand("SMISMEMBER", key)
        command.append(each: members)
        return Self(command) { try $0.array.map { try $0.integer == 1 } }
    }
}

extension RedisRequest where Reply == [[UInt8]] {
    /// SMEMBERS: all members, in no order.
    package static func smembers(_ key: String) -> Self {
        Self(RedisCommand("SMEMBERS", key)) { try $0.array.map { try $0.bytes } }
    }
}
