/// How many entries XADD leaves in a stream.
public enum RedisStreamLimit: Sendable, Equatable {
    case exactly(Int)
    /// At least so many; cheaper, for Redis removes whole blocks.
    case about(Int)
}

extension RedisRequest where Reply == RedisStreamID {
    /// XADD: the id that the server gave the entry.
    /// - Parameters:
    ///   - fields: at least one.
    ///   - limit: removes older entries, pending or not.
    public static func xadd(_ stream: String, _ fields: [RedisStreamEntry.Field], limit: RedisStreamLimit? = nil) -> Self {
        var command = RedisCommand("XADD", stream)
        switch limit {
        case .exactly(let count): command.append("MAXLEN", count)
        case .about(let count): command.append("MAXLEN", "~", count)
        case nil: break
        }
        command.append("*")
        for field in fields { command.append(field.name, field.value) }
        return Self(command) { try RedisStreamID($0) }
    }
}

extension RedisRequest where Reply == Int {
    /// XLEN: how many entries there are.
    public static func xlen(_ stream: String) -> Self { Self(RedisCommand("XLEN", stream)) { try $0.integer } }

    /// XTRIM MINID: removes all entries before one, and says how many.
    ///
    /// Trim only what every group has acknowledged: then groups' `lag` stays right, which XDEL would spoil for good.
    public static func xtrim(_ stream: String, before id: RedisStreamID) -> Self {
        Self(RedisCommand("XTRIM", stream, "MINID", "=", id)) { try $0.integer }
    }
}

extension RedisRequest where Reply == [RedisStreamEntry] {
    /// XRANGE: entries from one id on, in order.
    public static func xrange(_ stream: String, from id: RedisStreamID = .zero, count: Int) -> Self {
        Self(RedisCommand("XRANGE", stream, id, "+", "COUNT", count)) { try $0.array.map(RedisStreamEntry.init) }
    }
}
