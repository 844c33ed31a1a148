import JobQueue
package import Logging
package import Postgres
import FoundationEssentials

/// Elects the leader among the coordinators. The lead is a lease: a row of the database with an epoch, the holder's name
/// and the time of the last renewal. Only the database's clock decides whether it has run out.
///
/// Taking the lead raises the epoch. Everything that a leader writes holds the row of its epoch until it is committed
/// (`PostgresFarmStore.leading`), so whoever takes the lead waits for what the last leader has begun, and whatever that
/// leader begins later is refused. A leader that was stopped in the middle of a transaction cannot end it: its sessions
/// that stand in the way are ended.
package struct LeaderElection: Sendable {
    /// How long a lead lasts without a renewal.
    package static let lease = Duration.milliseconds(3500)
    /// How long one step of the leader's work may take. A leader whose work stands still for longer gives the lead back.
    package static let longestStep = Duration.seconds(20)

    private let database: PostgresPool
    private let holder: String
    private let lease: Duration
    private let longestStep: Duration
    private let calls = WakeSignal()
    private let logger: Logger

    /// - Parameter holder: the coordinator's name in the database, for people who look there.
    package init(
        _ configuration: PostgresConfiguration, holder: String, lease: Duration = LeaderElection.lease,
        longestStep: Duration = LeaderElection.longestStep, logger: Logger
    ) {
        // Connections of its own: a renewal waits for nothing else that this coordinator does.
        var configuration = configuration
        let limit = max(lease / 2, .seconds(2))
        configuration.connectTimeout = limit
        configuration.statementTimeout = limit
        configuration.lockTimeout = limit
        configuration.idleInTransactionTimeout = limit
        database = PostgresPool(configuration, limit: 2, connectAttempts: 1)
        self.holder = holder
        self.lease = lease
        self.longestStep = longestStep
        self.logger = logger
    }

    /// The time between two renewals, and between two looks of a candidate.
    private var interval: Duration { lease / 5 }

    /// Looks at the lead at once, because a leader has given it back.
    package func standNow() { calls.wake() }

    /// Waits until this coordinator leads, runs `lead` for as long as it does, and begins anew, until the task is
    /// cancelled. Call it once.
    package func run(_ lead: @escaping @Sendable (LeadTerm) async -> Void) async {
        while !Task.isCancelled {
            do {
                if let term = try await take() {
                    logger.info("leading in epoch \(term.epoch)")
                    await keep(term, lead)
                } else {
                    _ = await calls.wait(atMost: interval)
                }
            } catch is CancellationError {
                break
            } catch {
                logger.warning("cannot take part in the election of the leader: \(error); retrying")
                try? await Task.sleep(for: interval)  // cancelled: the loop's condition ends the loop
            }
        }
        await database.close()
    }

    // MARK: Taking the lead

    /// The statement that takes the lead. A renewal in the future says that the database's clock was set back.
    private static let taking = """
        UPDATE lead SET epoch = epoch + 1, holder = $1, renewed_at = clock_timestamp()
        WHERE holder IS NULL OR renewed_at NOT BETWEEN clock_timestamp() - make_interval(secs => $2)
          AND clock_timestamp() + make_interval(secs => $2)
        RETURNING epoch, renewed_at
        """

    /// Takes the lead if nobody has it.
    private func take() async throws -> LeadTerm? {
        let row = try await database.withConnection { connection in
            let session = await connection.processIdentifier
            return try await withThrowingTaskGroup(of: PostgresRow?.self) { group in
                group.addTask {
                    try await connection.query(
                        LeaderElection.taking, [.text(holder), .double(lease.inSeconds)]
                    ).first
                }
                group.addTask {
                    await endSessions(inTheWayOf: session)
                    return nil
                }
                defer { group.cancelAll() }
                return try await group.next() ?? nil
            }
        }
        guard let row else { return nil }
        return LeadTerm(epoch: try row.get("epoch"), databaseTime: try row.get("renewed_at"))
    }

    /// Ends the sessions that a session waits for, one after the other, until the task is cancelled: transactions of the
    /// last leader, which has not renewed its lead. Another candidate that takes the lead at this moment is none of them.
    private func endSessions(inTheWayOf waiting: Int32?) async {
        while !Task.isCancelled {
            do {
                // Transactions that go on end by themselves within this time.
                try await Task.sleep(for: interval / 5)
                let ended = try await database.query(
                    """
                    SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE pid = ANY(pg_blocking_pids($1::integer)) AND query NOT LIKE 'UPDATE lead SET epoch%'
                    """, [.optional(waiting) { .int64(Int64($0)) }])
                if !ended.isEmpty { logger.warning("ended a session of the last leader, which is silent") }
            } catch is CancellationError {
            } catch {
                logger.warning("cannot end the last leader's sessions: \(error)")
            }
        }
    }

    // MARK: Keeping the lead

    /// Runs `lead` until this coordinator does not lead any more.
    private func keep(_ term: LeadTerm, _ lead: @escaping @Sendable (LeadTerm) async -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await lead(term) }
            group.addTask { await renew(term) }
            await group.next()
            group.cancelAll()
            // Others need not wait for what still ends here, because nothing of it is written from now on. The task of
            // its own goes on where this one is cancelled.
            await Task { await giveBack(term) }.value
        }
    }

    /// Renews the lead for as long as the leader's work goes on, until another coordinator has the lead.
    private func renew(_ term: LeadTerm) async {
        var renewedAt = ContinuousClock.now
        while !Task.isCancelled {
            do {
                try await Task.sleep(for: interval)
                guard term.standstill < longestStep else {
                    return logger.error("the leader's work has stood still for \(term.standstill): giving the lead back")
                }
                let askedAt = ContinuousClock.now
                let rows = try await database.query(
                    "UPDATE lead SET renewed_at = clock_timestamp() WHERE epoch = $1 RETURNING renewed_at", [.int64(term.epoch)])
                guard let row = rows.first else { return logger.warning("lost the lead of epoch \(term.epoch)") }
                term.noteDatabaseTime(try row.get("renewed_at"))
                renewedAt = askedAt
            } catch is CancellationError {
                return
            } catch {
                logger.warning("cannot renew the lead: \(error)")
                guard renewedAt.duration(to: .now) < lease else { return }
            }
        }
    }

    /// Gives the lead back, if this coordinator still has it, so that another one takes it at once.
    private func giveBack(_ term: LeadTerm) async {
        do {
            _ = try await database.query(
                """
                WITH given AS (UPDATE lead SET epoch = epoch + 1, holder = NULL WHERE epoch = $1 RETURNING epoch)
                SELECT pg_notify('\(PostgresFarmStore.leadChannel)', '') FROM given
                """, [.int64(term.epoch)])
        } catch {
            logger.warning("cannot give the lead back, so it runs out: \(error)")
        }
    }
}
