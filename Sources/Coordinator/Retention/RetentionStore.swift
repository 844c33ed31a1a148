package import ExportPlan
package import FoundationEssentials

/// What a store removes when it is told to: rows of exports that ended long ago, and the records of stored files that
/// nothing needs. `Retention` calls it for rows, `GarbageCollection` for files as well.
///
/// Every call is one transaction, changes at most `limit` rows of the kind that it is about, and may be repeated: what
/// a killed process has not done, the next call does. A call of a leader that has lost the lead is refused as every
/// other write.
package protocol RetentionStore: Sendable {
    /// When the first export beyond the newest finished ones ended.
    /// - Parameter count: how many finished exports count as the newest, 0 or more.
    /// - Returns: a time before which an export must have ended to be beyond them; nil where there are no more exports.
    func cutoff(beyondNewest count: Int) async throws -> Date?
    /// Moves jobs of exports that ended before a time, with their attempts and events, to the tables of history. An
    /// export keeps its row, and can no longer be retried.
    /// - Parameter limit: the greatest number of jobs, and a tenth of it of exports, in this call.
    func moveToHistory(endedBefore cutoff: Date, limit: Int) async throws -> RowCounts
    /// Clears logs of attempts in the history that ended before a time.
    func clearLogs(endedBefore cutoff: Date, limit: Int) async throws -> RowCounts
    /// Removes events from the history that happened before a time.
    func dropEvents(before cutoff: Date, limit: Int) async throws -> RowCounts
    /// Removes jobs, with their attempts, from the history whose export ended before a time.
    func dropHistory(endedBefore cutoff: Date, limit: Int) async throws -> RowCounts
    /// Removes revisions of named drafts that were made before a time, that are not among the newest of their draft,
    /// and that no export was made from.
    /// - Parameter newest: how many revisions each draft keeps, 1 or more.
    func dropRevisions(before cutoff: Date, keeping newest: Int, limit: Int) async throws -> RowCounts
    /// Removes deliveries to webhooks that ended before a time, and those of webhooks that are gone.
    func dropDeliveries(endedBefore cutoff: Date, limit: Int) async throws -> RowCounts
    /// Removes exports that ended before a time and whose jobs have moved, with everything that is theirs.
    func dropExports(endedBefore cutoff: Date, limit: Int) async throws -> RowCounts
    /// Removes the oldest of the operators' actions, as far as they are from before a time.
    func dropAdminActions(before cutoff: Date, limit: Int) async throws -> RowCounts
    /// Forgets workers whose last heartbeat was before a time.
    func dropWorkers(unseenSince cutoff: Date, limit: Int) async throws -> RowCounts
    /// Adds up the counts of open jobs that each connection to the store keeps, so that those of connections that are
    /// gone do not pile up. The sums stay the same.
    func addUpQueueCounts() async throws
    /// What the calls above would move and remove, until nothing is left for them to do.
    func expired(_ cutoffs: RetentionCutoffs) async throws -> RowCounts

    /// The records of these artifacts of a tenant, by key, with the reason why they are needed where they are.
    func artifactRecords(_ keys: [ArtifactKey], tenant: Int64, _ cutoffs: FileCutoffs) async throws
        -> [ArtifactKey: FileRecord]
    /// The records of these assets of a tenant, by hash.
    func assetRecords(_ hashes: [String], tenant: Int64, _ cutoffs: FileCutoffs) async throws -> [String: FileRecord]
    /// Which of these artifacts an open export uses or a job makes, whether they have records or not.
    func artifactsInUse(_ keys: [ArtifactKey], tenant: Int64) async throws -> Set<ArtifactKey>
    /// The artifacts of a tenant with records that were last used before a time, in order.
    /// - Parameter after: the key after which they begin; empty for the first.
    func artifacts(of tenant: Int64, usedBefore: Date, after: String, limit: Int) async throws -> [ArtifactKey]
    /// Removes the records of artifacts that were last used before a time and that nothing needs. Whether they are
    /// needed is looked at again, under locks: an export that is compiled meanwhile either keeps them from being removed
    /// or does not find them any more.
    /// - Parameter removeFiles: removes the files of these artifacts, before the transaction ends. It may be called
    ///   again where the transaction is repeated.
    /// - Returns: the keys that were removed.
    func removeArtifacts(
        _ keys: [ArtifactKey], tenant: Int64, usedBefore: Date, _ cutoffs: FileCutoffs,
        removeFiles: @escaping @Sendable ([ArtifactKey]) throws -> Void
    ) async throws -> [ArtifactKey]
    /// Removes the records of assets in the same manner.
    func removeAssets(
        _ hashes: [String], tenant: Int64, usedBefore: Date, _ cutoffs: FileCutoffs,
        removeFiles: @escaping @Sendable ([String]) throws -> Void
    ) async throws -> [String]
}

/// Times before which rows expire; nil keeps them for ever.
package struct RetentionCutoffs: Hashable, Sendable {
    /// The jobs of exports that ended earlier move to the history.
    package var jobs: Date?
    /// Logs of attempts that ended earlier are cleared.
    package var logs: Date?
    /// Events that happened earlier are removed.
    package var events: Date?
    /// Jobs in the history whose exports ended earlier are removed.
    package var history: Date?
    /// Revisions that were made earlier are removed.
    package var revisions: Date?
    /// How many revisions each named draft keeps, whatever their age.
    package var keptRevisions = 1
    /// Deliveries to webhooks that ended earlier are removed.
    package var deliveries: Date?
    /// Exports that ended earlier are removed.
    package var exports: Date?
    /// Operators' actions from before are removed.
    package var adminActions: Date?
    /// Workers whose last heartbeat came earlier are forgotten.
    package var workers: Date?

    package init() {}
}

/// Times that decide which stored files are needed.
package struct FileCutoffs: Hashable, Sendable {
    /// The films of exports that completed at this time or later are kept; nil keeps all films.
    package var films: Date?

    package init(films: Date? = nil) {
        self.films = films
    }
}

/// How many rows a call moved, cleared or removed.
package struct RowCounts: Hashable, Sendable, Codable {
    /// Exports whose last jobs moved to the history.
    package var movedExports = 0
    package var movedJobs = 0
    package var movedAttempts = 0
    package var movedEvents = 0
    package var clearedLogs = 0
    package var droppedEvents = 0
    package var droppedJobs = 0
    package var droppedAttempts = 0
    package var droppedRevisions = 0
    package var droppedDeliveries = 0
    package var droppedExports = 0
    package var droppedAdminActions = 0
    package var droppedWorkers = 0

    package init() {}

    package static func + (first: RowCounts, second: RowCounts) -> RowCounts {
        var sum = first
        sum.movedExports += second.movedExports
        sum.movedJobs += second.movedJobs
        sum.movedAttempts += second.movedAttempts
        sum.movedEvents += second.movedEvents
        sum.clearedLogs += second.clearedLogs
        sum.droppedEvents += second.droppedEvents
        sum.droppedJobs += second.droppedJobs
        sum.droppedAttempts += second.droppedAttempts
        sum.droppedRevisions += second.droppedRevisions
        sum.droppedDeliveries += second.droppedDeliveries
        sum.droppedExports += second.droppedExports
        sum.droppedAdminActions += second.droppedAdminActions
        sum.droppedWorkers += second.droppedWorkers
        return sum
    }

    /// Whether a call found nothing to do.
    package var isEmpty: Bool { self == RowCounts() }
}

/// What a store knows about a stored file.
package struct FileRecord: Hashable, Sendable {
    package var usedAt: Date
    /// Why the file must stay; nil where nothing needs it.
    package var need: FileNeed?

    package init(usedAt: Date, need: FileNeed?) {
        self.usedAt = usedAt
        self.need = need
    }
}

/// Why a stored file must stay.
package enum FileNeed: String, Hashable, Sendable, Codable, CaseIterable {
    /// An export that is not over uses it, or a job makes it.
    case openExport
    /// It is the film of a completed export.
    case film
    /// A named draft or a recording uses it.
    case draft
}
