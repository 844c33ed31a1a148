package import FoundationEssentials

/// How long a farm keeps what: ages in seconds, numbers, and bytes; nil keeps for ever.
package struct RetentionPolicy: Hashable, Sendable {
    /// Nothing that is younger is moved or removed, whatever the settings say: `spool queue ls` counts the errors of the
    /// last hour, and the use of a file is noted once an hour.
    package static let shortest: TimeInterval = 2 * 3600

    /// The jobs of exports that ended longer ago move to the history.
    package var jobsAge: TimeInterval? = 7 * 86_400
    /// The jobs of this many newest finished exports stay, unless they are too old.
    package var jobsCount: Int? = 10_000
    package var logsAge: TimeInterval? = 30 * 86_400
    package var eventsAge: TimeInterval? = 90 * 86_400
    package var historyAge: TimeInterval? = 90 * 86_400
    package var revisionsAge: TimeInterval? = 365 * 86_400
    /// How many revisions each named draft keeps, whatever their age.
    package var revisionsCount = 20
    package var deliveriesAge: TimeInterval? = 30 * 86_400
    package var exportsAge: TimeInterval?
    package var exportsCount: Int?
    package var adminActionsAge: TimeInterval? = 365 * 86_400
    /// Rows of workers that have sent no heartbeat for longer go. The pools of a month are among the farm's numbers.
    private static let workersAge: TimeInterval = 31 * 86_400
    /// How long completed exports keep their films.
    package var filmsAge: TimeInterval?
    /// Artifacts that nothing needs and that were last used longer ago are removed.
    package var artifactsAge: TimeInterval? = 30 * 86_400
    /// Where a farm has more bytes of artifacts, those that nothing needs are removed, the longest unused first.
    package var artifactsBytes: Int64?
    /// Assets that nothing needs and that were last used longer ago are removed.
    package var sourcesAge: TimeInterval? = 30 * 86_400

    package init() {}

    /// The settings that contradict each other, one line each: what is kept within something cannot be kept for longer
    /// than that.
    package var faults: [String] {
        var faults: [String] = []
        func check(_ inner: TimeInterval?, _ innerName: String, _ outer: TimeInterval?, _ outerName: String) {
            guard let outer, inner.map({ $0 > outer }) ?? true else { return }
            faults.append("\(innerName) has to be at most \(outerName), because they are removed with them")
        }
        check(jobsAge, "keepJobs", historyAge, "keepHistory")
        check(jobsAge, "keepJobs", exportsAge, "keepExports")
        return faults
    }

    /// The times before which rows expire.
    /// - Parameter now: by the clock that wrote the rows' times.
    package func cutoffs(at now: Date, in store: any RetentionStore) async throws -> RetentionCutoffs {
        var cutoffs = RetentionCutoffs()
        cutoffs.jobs = earliest(now, jobsAge, try await beyond(jobsCount, store))
        cutoffs.logs = earliest(now, logsAge, nil)
        cutoffs.events = earliest(now, eventsAge, nil)
        cutoffs.history = earliest(now, historyAge, nil)
        cutoffs.revisions = earliest(now, revisionsAge, nil)
        cutoffs.keptRevisions = revisionsCount
        cutoffs.deliveries = earliest(now, deliveriesAge, nil)
        cutoffs.exports = earliest(now, exportsAge, try await beyond(exportsCount, store))
        cutoffs.adminActions = earliest(now, adminActionsAge, nil)
        cutoffs.workers = earliest(now, RetentionPolicy.workersAge, nil)
        return cutoffs
    }

    /// The times that decide which files are needed.
    package func fileCutoffs(at now: Date) -> FileCutoffs { FileCutoffs(films: earliest(now, filmsAge, nil)) }

    private func beyond(_ count: Int?, _ store: any RetentionStore) async throws -> Date? {
        guard let count else { return nil }
        return try await store.cutoff(beyondNewest: count)
    }

    /// The later of both times, so that either the age or the number suffices, but never within the last two hours.
    private func earliest(_ now: Date, _ age: TimeInterval?, _ beyond: Date?) -> Date? {
        let times = [age.map { now - $0 }, beyond].compactMap(\.self)
        return times.max().map { min($0, now - RetentionPolicy.shortest) }
    }
}
