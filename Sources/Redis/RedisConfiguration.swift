/// How to reach one Redis server, and how long to wait for it. Printing it never shows the password.
public struct RedisConfiguration: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible {
    /// Where the server listens.
    public var address: RedisAddress
    /// For Redis 6 access control lists; nil for the server's `requirepass`.
    public var user: String?
    /// nil sends no AUTH.
    public var password: String?
    /// The number of the database, 0 by default.
    public var database: Int
    /// How long opening a connection may take, resolving the name not counted.
    public var connectTimeout: Duration
    /// How long the server may be silent while an answer is due. A blocking read has its own block time besides.
    public var commandTimeout: Duration
    /// The pauses between attempts to connect.
    public var backoff: RedisBackoff

    /// Everything but the address has a default.
    public init(
        address: RedisAddress, user: String? = nil, password: String? = nil, database: Int = 0,
        connectTimeout: Duration = .seconds(5), commandTimeout: Duration = .seconds(10), backoff: RedisBackoff = RedisBackoff()
    ) {
        self.address = address
        self.user = user
        self.password = password
        self.database = database
        self.connectTimeout = connectTimeout
        self.commandTimeout = commandTimeout
        self.backoff = backoff
    }

    /// The address and the database.
    public var description: String { "Redis at \(address), database \(database)" }

    /// The same: a password in a log is a password lost.
    public var debugDescription: String { description }
}
