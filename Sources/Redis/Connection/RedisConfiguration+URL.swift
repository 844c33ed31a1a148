import FoundationEssentials

extension RedisConfiguration {
    /// Reads `redis://[user:password@]host[:port][/database]`, the same with `rediss` for TLS, or
    /// `unix://[user:password@]/path[?db=database]`.
    ///
    /// User and password may be percent-encoded, the user may be empty, and the default port is 6379. With TLS the URL may
    /// name files as libpq's URLs do: `?sslrootcert=FILE` with the authorities to trust, `sslcert` and `sslkey` with the
    /// client's own certificate.
    /// - Throws: `RedisError`, code `invalidConfiguration`; its message never holds the URL, which may hold a password.
    package init(url: String) throws(RedisError) {
        guard let parts = URLComponents(string: url), let scheme = parts.scheme else {
            throw Self.invalid("is not a URL; write it as redis://user:password@host:6379/0 or unix:///path/redis.sock")
        }
        switch scheme {
        case "redis", "rediss":
            guard let host = parts.host, !host.isEmpty else { throw Self.invalid("names no host; write it as redis://host:6379") }
            let port = parts.port ?? 6379
            guard (1...65535).contains(port) else { throw Self.invalid("has a port outside 1...65535") }
            self.init(address: .tcp(host: Self.withoutBrackets(host), port: port))
            try readDatabase(String(parts.path.drop { $0 == "/" }))
            let items = parts.queryItems ?? []
            if scheme == "rediss" {
                tls = try RedisTLS(items)
            } else if let first = items.first {
                throw Self.invalid("has '\(first.name)' after the ?, which only rediss URLs know")
            }
        case "unix":
            guard parts.path.hasPrefix("/"), (parts.host ?? "").isEmpty else {
                throw Self.invalid("does not name an absolute path; write it as unix:///path/redis.sock")
            }
            self.init(address: .unix(path: parts.path))
            try readDatabase(parts.queryItems?.first { $0.name == "db" }?.value ?? "")
        default:
            throw Self.invalid("starts with '\(scheme)'; redis, rediss and unix are known")
        }
        user = parts.user.flatMap { $0.isEmpty ? nil : $0 }
        password = parts.password.flatMap { $0.isEmpty ? nil : $0 }
        if user != nil && password == nil { throw Self.invalid("names a user but no password; give both, or none") }
    }

    private mutating func readDatabase(_ text: String) throws(RedisError) {
        if text.isEmpty { return }
        guard let number = Int(text), number >= 0 else {
            throw Self.invalid("has a database that is not a number, as in redis://host:6379/0")
        }
        database = number
    }

    /// Removes the brackets that a URL puts around an IPv6 address, such as `[::1]`.
    private static func withoutBrackets(_ host: String) -> String {
        host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }

    fileprivate static func invalid(_ reason: String) -> RedisError {
        RedisError(.invalidConfiguration, "the URL of the Redis server \(reason)")
    }
}

extension RedisTLS {
    /// Reads what follows the `?` of a URL.
    fileprivate init(_ items: [URLQueryItem]) throws(RedisError) {
        self.init()
        for item in items {
            guard let file = item.value, file.hasPrefix("/") else {
                throw RedisConfiguration.invalid("has '\(item.name)' without the absolute path of a file")
            }
            switch item.name {
            case "sslrootcert": authorities = file
            case "sslcert": certificate = file
            case "sslkey": key = file
            default:
                throw RedisConfiguration.invalid("has '\(item.name)' after the ?; sslrootcert, sslcert and sslkey are known")
            }
        }
        guard (certificate == nil) == (key == nil) else {
            throw RedisConfiguration.invalid("names a certificate or a key for the client, and both are needed")
        }
    }
}
