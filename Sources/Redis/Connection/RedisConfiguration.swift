package import BlockingWork

/// How to reach one Redis server, and how long to wait for it. Printing it never shows the password.
package struct RedisConfiguration: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible {
    /// Where the server listens.
    package var address: RedisAddress
    /// TLS on the connection; nil sends everything in the clear. A Unix socket has none.
    package var tls: RedisTLS?
    /// The user of Redis 6 access control lists; nil for the server's `requirepass`.
    package var user: String?
    /// The password; nil sends no AUTH.
    package var password: String?
    /// The number of the database, 0 by default.
    package var database: Int
    /// How long opening a connection may take, without the time to resolve the name.
    package var connectTimeout: Duration
    /// How long the server may be silent while an answer is due. A blocking read has its block time in addition.
    package var commandTimeout: Duration
    /// The pauses between attempts to connect.
    package var backoff: Backoff

    /// Everything but the address has a default.
    package init(
        address: RedisAddress, tls: RedisTLS? = nil, user: String? = nil, password: String? = nil, database: Int = 0,
        connectTimeout: Duration = .seconds(5), commandTimeout: Duration = .seconds(10),
        backoff: Backoff = Backoff(first: .milliseconds(50), limit: .seconds(2))
    ) {
        self.address = address
        self.tls = tls
        self.user = user
        self.password = password
        self.database = database
        self.connectTimeout = connectTimeout
        self.commandTimeout = commandTimeout
        self.backoff = backoff
    }

    /// The address and the database.
    package var description: String { "Redis at \(address), database \(database)" }

    /// The same as `description`, so that no log shows the password.
    package var debugDescription: String { description }
}
