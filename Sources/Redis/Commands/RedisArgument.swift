/// A value that can be an argument of a command. Every argument is sent as bytes.
package protocol RedisArgument: Sendable {
    /// The bytes on the wire.
    var redisBytes: [UInt8] { get }
}

extension String: RedisArgument {
    /// The text in UTF-8.
    package var redisBytes: [UInt8] { Array(utf8) }
}

extension Int: RedisArgument {
    /// The number in decimal digits.
    package var redisBytes: [UInt8] { String(self).redisBytes }
}

extension [UInt8]: RedisArgument {
    /// The bytes, unchanged.
    package var redisBytes: [UInt8] { self }
}

extension Duration {
    /// Whole milliseconds, at least 1: rounding a short time down to 0 would mean "for ever" to Redis.
    var redisMilliseconds: Int {
        let (seconds, attoseconds) = components
        let (perMillisecond, most) = (Int64(1_000_000_000_000_000), Int64.max / 1000 - 1)
        return max(1, Int(min(seconds, most) * 1000 + (attoseconds + perMillisecond - 1) / perMillisecond))
    }
}
