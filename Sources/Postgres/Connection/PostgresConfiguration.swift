/// Which server a connection goes to, and with which user and password.
package struct PostgresConfiguration: Sendable, Equatable {
    /// `postgresql://user:password@host:port/database?...` or `host=... dbname=...`, as libpq takes it; what it leaves
    /// out comes from `PGHOST`, `PGPASSWORD` and similar variables. It may hold a password, so nothing in this module
    /// prints it.
    package var connectionString: String
    /// The name in `pg_stat_activity`, unless the string or `PGAPPNAME` sets another one.
    package var applicationName: String
    /// How long one attempt to connect may take, for all hosts of the string together. It replaces libpq's own
    /// `connect_timeout`.
    package var connectTimeout: Duration
    /// How long the server works on one statement before it ends it; nil keeps the server's own setting. The server is
    /// told whole milliseconds.
    package var statementTimeout: Duration?
    /// How long a statement waits for a lock that another transaction holds; nil keeps the server's own setting.
    package var lockTimeout: Duration?
    /// How long a transaction may wait for its client's next statement before the server ends the session; nil keeps
    /// the server's own setting.
    package var idleInTransactionTimeout: Duration?
    /// Whether statements are planned once, without the values of their parameters, and without reading a whole table or
    /// building a bitmap from a whole index where another plan exists. Statements that find a few rows by their keys then
    /// have the same plan whatever the server's statistics say. A table that has just grown has none: PostgreSQL collects
    /// them once a minute at most.
    package var plansByKey = false

    package init(
        _ connectionString: String, applicationName: String = "spool", connectTimeout: Duration = .seconds(10),
        statementTimeout: Duration? = nil, lockTimeout: Duration? = nil, idleInTransactionTimeout: Duration? = nil
    ) {
        self.connectionString = connectionString
        self.applicationName = applicationName
        self.connectTimeout = connectTimeout
        self.statementTimeout = statementTimeout
        self.lockTimeout = lockTimeout
        self.idleInTransactionTimeout = idleInTransactionTimeout
    }

    /// libpq's keywords with their values. The keywords before `dbname` are defaults that the connection string may
    /// replace.
    ///
    /// A server whose machine is gone is noticed within a minute, not after the two hours that Linux would wait.
    /// Kerberos encryption has to be asked for: libpq would look for Kerberos tickets in every thread that connects,
    /// and a thread that ends while the process exits would then abort the process (an assertion of libkrb5, whose lock
    /// is gone by then).
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

    /// Statements that set the limits of a session, and how its statements are planned.
    var sessionSettings: String {
        let limits = [
            ("statement_timeout", statementTimeout), ("lock_timeout", lockTimeout),
            ("idle_in_transaction_session_timeout", idleInTransactionTimeout),
        ].compactMap { name, limit in
            // 0 would mean no limit.
            limit.map { "; SET \(name) = \(max(1, Int($0 / .milliseconds(1))))" }
        }
        // The farm's statements read few rows. Where PostgreSQL has no statistics yet it takes them for many, and would
        // compile a statement and start processes for it, which takes a hundred times as long as the statement.
        let always = ["jit = off", "max_parallel_workers_per_gather = 0"]
        let planning =
            plansByKey ? ["plan_cache_mode = force_generic_plan", "enable_seqscan = off", "enable_bitmapscan = off"] : []
        return (limits + (always + planning).map { "; SET \($0)" }).joined()
    }
}
