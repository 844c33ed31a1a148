/// Which server a connection goes to, and how it says who it is.
public struct PostgresConfiguration: Sendable, Equatable {
    /// `postgresql://user:password@host:port/database?...` or `host=... dbname=...`, as libpq takes it; what it leaves out
    /// comes from `PGHOST`, `PGPASSWORD` and their kin. It may hold a password, so nothing of this module prints it.
    public var connectionString: String
    /// What `pg_stat_activity` shows, unless the string or `PGAPPNAME` names something else.
    public var applicationName: String
    /// How long one attempt to connect may take, all hosts of the string together; it stands in for libpq's own
    /// `connect_timeout`.
    public var connectTimeout: Duration
    /// How long the server works on one statement before it gives it up; nil leaves the server's own setting. Told to the
    /// server in whole milliseconds.
    public var statementTimeout: Duration?
    /// How long a statement waits for a lock that another one holds; nil leaves the server's own setting.
    public var lockTimeout: Duration?

    public init(
        _ connectionString: String, applicationName: String = "spool", connectTimeout: Duration = .seconds(10),
        statementTimeout: Duration? = nil, lockTimeout: Duration? = nil
    ) {
        self.connectionString = connectionString
        self.applicationName = applicationName
        self.connectTimeout = connectTimeout
        self.statementTimeout = statementTimeout
        self.lockTimeout = lockTimeout
    }

    /// libpq's keywords with their values. Those before `dbname` are defaults that the connection string may replace.
    ///
    /// A server whose machine is gone is noticed within a minute, not after the two hours that Linux would wait. Kerberos'
    /// encryption must be asked for: libpq would look for its tickets in every thread that connects, and a thread that ends
    /// while the process exits then aborts it (an assertion of libkrb5's, whose lock is gone by then).
    var keywords: [(name: String, value: String)] {
        [
            ("fallback_application_name", applicationName),
            ("keepalives_idle", "20"), ("keepalives_interval", "10"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "50000"),
            ("gssencmode", "disable"),
            ("dbname", connectionString),
            ("client_encoding", "UTF8"),
        ]
    }

    /// Statements that set the limits of a session.
    var sessionLimits: String {
        [("statement_timeout", statementTimeout), ("lock_timeout", lockTimeout)].compactMap { name, limit in
            // 0 would mean no limit.
            limit.map { "; SET \(name) = \(max(1, Int($0 / .milliseconds(1))))" }
        }.joined()
    }
}
