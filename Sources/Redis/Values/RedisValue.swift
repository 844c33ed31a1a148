/// An answer of the server, in the kinds of its protocol (RESP2).
///
/// Errors are values, too: they stand inside arrays when a command of a transaction or a script failed.
/// `RedisCommands.send` throws the outermost error.
package enum RedisValue: Sendable, Equatable {
    /// No value: a missing key, or a blocking read that nothing arrived for.
    case null
    /// A short word, such as `OK`.
    case status(String)
    /// Any bytes, zero bytes included.
    case bulk([UInt8])
    case number(Int)
    case list([RedisValue])
    /// The error line; its first word is the kind of error.
    case failure(String)
}

extension RedisValue {
    /// The value, or nil where the server answered null: `try reply.ifPresent?.text`.
    package var ifPresent: RedisValue? { self == .null ? nil : self }

    /// - Throws: `RedisError`, code `unexpectedReply`, unless it is bulk bytes or a status.
    package var bytes: [UInt8] {
        get throws(RedisError) {
            switch self {
            case .bulk(let bytes): bytes
            case .status(let text): Array(text.utf8)
            default: throw mismatch("bytes")
            }
        }
    }

    /// - Throws: `RedisError`, code `unexpectedReply`, unless it is bulk bytes in UTF-8 or a status.
    package var text: String {
        get throws(RedisError) {
            if case .status(let text) = self { return text }
            guard case .bulk(let bytes) = self else { throw mismatch("text") }
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw RedisError(.unexpectedReply, "expected text from Redis, got bytes that are not UTF-8")
            }
            return text
        }
    }

    /// - Throws: `RedisError`, code `unexpectedReply`, unless it is an integer.
    package var integer: Int {
        get throws(RedisError) {
            guard case .number(let number) = self else { throw mismatch("an integer") }
            return number
        }
    }

    /// - Throws: `RedisError`, code `unexpectedReply`, unless it is an array.
    package var array: [RedisValue] {
        get throws(RedisError) {
            guard case .list(let values) = self else { throw mismatch("an array") }
            return values
        }
    }

    /// An array of names and values in turn, as RESP2 writes maps.
    /// - Throws: `RedisError`, code `unexpectedReply`, unless it is such an array.
    package var map: [String: RedisValue] {
        get throws(RedisError) {
            let values = try array
            guard values.count.isMultiple(of: 2) else { throw mismatch("pairs") }
            var map: [String: RedisValue] = [:]
            for index in stride(from: 0, to: values.count, by: 2) { map[try values[index].text] = values[index + 1] }
            return map
        }
    }

    /// The value, unless it is an error of the server.
    /// - Throws: that error.
    func checked(_ command: String) throws(RedisError) -> RedisValue {
        if case .failure(let line) = self { throw RedisError(serverLine: line, command: command) }
        return self
    }

    /// An error that says which kind of value came, and not what is in it.
    private func mismatch(_ expected: String) -> RedisError {
        let kind =
            switch self {
            case .null: "null"
            case .status: "a status"
            case .bulk: "bytes"
            case .number: "an integer"
            case .list(let values): "an array of \(values.count)"
            case .failure(let line):
                "an error"
                    + (line.isEmpty ? "" : " (\(line.prefix { $0 != " " }))")
            }
        return RedisError(.unexpectedReply, "expected \(expected) from Redis, got \(kind)")
    }
}
