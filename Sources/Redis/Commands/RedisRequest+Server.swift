extension RedisRequest where Reply == Void {
    /// PING: returns when the server answers and the password is right.
    package static var ping: Self { Self(RedisCommand("PING")) { _ in } }
}

extension RedisRequest where Reply == UInt64 {
    /// TIME: milliseconds since 1970 by the server's clock, which also gives the entries of streams their ids.
    package static var time: Self {
        Self(RedisCommand("TIME")) { value in
            let parts = try value.array.map { try $0.text }
            guard parts.count == 2, let seconds = UInt64(parts[0]), let microseconds = UInt64(parts[1]) else {
                throw RedisError(.unexpectedReply, "expected the time as two numbers, got \(parts)")
            }
            return seconds * 1000 + microseconds / 1000
        }
    }
}

extension RedisRequest where Reply == [String: String] {
    /// INFO: the lines of a section as names and values.
    /// - Parameter section: such as `server`, `memory`, `clients`, `keyspace`.
    package static func info(_ section: String) -> Self {
        Self(RedisCommand("INFO", section)) { value in
            let lines = try value.text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }
            let pairs = lines.compactMap { line -> (String, String)? in
                guard let colon = line.firstIndex(of: ":") else { return nil }
                return (String(line[..<colon]), String(line[line.index(after: colon)...]))
            }
            return Dictionary(pairs) { first, _ in first }
        }
    }

    /// CONFIG GET: the settings that match, by name.
    /// - Parameter pattern: such as `maxmemory-policy` or `*`.
    package static func config(_ pattern: String) -> Self {
        Self(RedisCommand("CONFIG GET", pattern)) { try $0.map.mapValues { try $0.text } }
    }
}

extension RedisRequest where Reply == String {
    /// CONFIG GET maxmemory-policy: a farm needs `noeviction`, because any other policy throws jobs away when memory is
    /// short.
    package static var maxmemoryPolicy: Self {
        Self(RedisCommand("CONFIG GET", "maxmemory-policy")) { try $0.map["maxmemory-policy", default: .null].text }
    }
}
