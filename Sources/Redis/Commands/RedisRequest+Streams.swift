/// How many entries XADD leaves in a stream.
package enum RedisStreamLimit: Sendable, Equatable {
    case exactly(Int)
    /// At least so many entries. That is cheaper, because Redis removes whole blocks.
    case about(Int)
}

extension RedisRequest where Reply == RedisStreamID {
    /// XADD: the id that the server gave the entry.
    /// - Parameters:
    ///   - fields: at least one.
    ///   - limit: removes older entries, pending or not.
    package static func xadd(_ stream: String, _ fields: [RedisStreamEntry.Field], limit: RedisStreamLimit? = nil) -> Self {
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
    package static func xlen(_ stream: String) -> Self { Self(RedisCommand("XLEN", stream)) { try $0.integer } }

    /// XTRIM MINID: removes all entries before an id, and returns how many.
    ///
    /// Trim only entries that every group has acknowledged: then the groups' `lag` stays right, which XDEL would spoil
    /// for good.
    package static func xtrim(_ stream: String, before id: RedisStreamID) -> Self {
        Self(RedisCommand("XTRIM", stream, "MINID", "=", id)) { try $0.integer }
    }
}

extension RedisRequest where Reply == [RedisStreamEntry] {
    /// XRANGE: entries from an id on, in order.
    package static func xrange(_ stream: String, from id: RedisStreamID = .zero, count: Int) -> Self {
        Self(RedisCommand("XRANGE", stream, id, "+", "COUNT", count)) { try $0.array.map(RedisStreamEntry.init) }
    }
}
