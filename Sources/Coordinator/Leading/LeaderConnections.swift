package import Postgres

extension PostgresConfiguration {
    /// The configuration of a leader's own connections.
    ///
    /// Their limits end a session whose coordinator was stopped or cut off in the middle of a transaction, also where
    /// nobody takes over and ends it earlier. Their statements find rows by keys, so their plans must not depend on
    /// statistics, which are wrong while a backlog grows.
    package func forLeader() -> PostgresConfiguration {
        var configuration = self
        configuration.applicationName = "spool leader"
        configuration.statementTimeout = .seconds(15)
        configuration.lockTimeout = .seconds(5)
        configuration.idleInTransactionTimeout = .seconds(60)
        configuration.plansByKey = true
        return configuration
    }
}
