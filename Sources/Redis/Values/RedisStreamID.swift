/// The id of a stream's entry: milliseconds of the server's clock, and a count within the millisecond. Later ids are
/// greater.
package struct RedisStreamID: Sendable, Hashable, Comparable, CustomStringConvertible, RedisArgument {
    /// Milliseconds since 1970, by the server's clock.
    package var milliseconds: UInt64
    /// Counts from 0 within the millisecond.
    package var sequence: UInt64

    package init(milliseconds: UInt64, sequence: UInt64) {
        self.milliseconds = milliseconds
        self.sequence = sequence
    }

    /// The id before every entry.
    package static let zero = RedisStreamID(milliseconds: 0, sequence: 0)

    /// Reads `1700000000000-0`.
    /// - Returns: nil when the text has another form.
    package init?(text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let milliseconds = UInt64(parts[0]), let sequence = UInt64(parts[1]) else { return nil }
        self.init(milliseconds: milliseconds, sequence: sequence)
    }

    init(_ value: RedisValue) throws {
        let text = try value.text
        guard let id = RedisStreamID(text: text) else {
            throw RedisError(.unexpectedReply, "expected a stream entry's id, got '\(text)'")
        }
        self = id
    }

    package var description: String { "\(milliseconds)-\(sequence)" }

    /// The description in bytes.
    package var redisBytes: [UInt8] { description.redisBytes }

    package static func < (first: RedisStreamID, second: RedisStreamID) -> Bool {
        (first.milliseconds, first.sequence) < (second.milliseconds, second.sequence)
    }
}
