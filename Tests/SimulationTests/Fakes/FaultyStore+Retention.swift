import Coordinator
import ExportPlan
import FoundationEssentials

/// Retention, which simulated farms leave alone.
extension FaultyStore: RetentionStore {
    func cutoff(beyondNewest count: Int) async throws -> Date? { try await read { await $0.cutoff(beyondNewest: count) } }
    func moveToHistory(endedBefore cutoff: Date, limit: Int) async throws -> RowCounts {
        try await write { await $0.moveToHistory(endedBefore: cutoff, limit: limit) }
    }
    func clearLogs(endedBefore cutoff: Date, limit: Int) async throws -> RowCounts {
        try await write { await $0.clearLogs(endedBefore: cutoff, limit: limit) }
    }
    func dropEvents(before cutoff: Date, limit: Int) async throws -> RowCounts {
        try await write { await $0.dropEvents(before: cutoff, limit: limit) }
    }
    func dropHistory(endedBefore cutoff: Date, limit: Int) async throws -> RowCounts {
        try await write { await $0.dropHistory(endedBefore: cutoff, limit: limit) }
    }
    func dropRevisions(before cutoff: Date, keeping newest: Int, limit: Int) async throws -> RowCounts {
        try await write { await $0.dropRevisions(before: cutoff, keeping: newest, limit: limit) }
    }
    func dropDeliveries(endedBefore cutoff: Date, limit: Int) async throws -> RowCounts {
        try await write { await $0.dropDeliveries(endedBefore: cutoff, limit: limit) }
    }
    func dropExports(endedBefore cutoff: Date, limit: Int) async throws -> RowCounts {
        try await write { await $0.dropExports(endedBefore: cutoff, limit: limit) }
    }
    func dropAdminActions(before cutoff: Date, limit: Int) async throws -> RowCounts {
        try await write { await $0.dropAdminActions(before: cutoff, limit: limit) }
    }
    func dropWorkers(unseenSince cutoff: Date, limit: Int) async throws -> RowCounts {
        try await write { await $0.dropWorkers(unseenSince: cutoff, limit: limit) }
    }
    func addUpQueueCounts() async throws { try await write { await $0.addUpQueueCounts() } }
    func expired(_ cutoffs: RetentionCutoffs) async throws -> RowCounts { try await read { await $0.expired(cutoffs) } }

    func artifactRecords(
        _ keys: [ArtifactKey], tenant: Int64, _ cutoffs: FileCutoffs
    ) async throws -> [ArtifactKey: FileRecord] {
        try await read { await $0.artifactRecords(keys, tenant: tenant, cutoffs) }
    }
    func assetRecords(_ hashes: [String], tenant: Int64, _ cutoffs: FileCutoffs) async throws -> [String: FileRecord] {
        try await read { await $0.assetRecords(hashes, tenant: tenant, cutoffs) }
    }
    func artifactsInUse(_ keys: [ArtifactKey], tenant: Int64) async throws -> Set<ArtifactKey> {
        try await read { await $0.artifactsInUse(keys, tenant: tenant) }
    }
    func artifacts(of tenant: Int64, usedBefore: Date, after: String, limit: Int) async throws -> [ArtifactKey] {
        try await read { await $0.artifacts(of: tenant, usedBefore: usedBefore, after: after, limit: limit) }
    }
    func removeArtifacts(
        _ keys: [ArtifactKey], tenant: Int64, usedBefore: Date, _ cutoffs: FileCutoffs,
        removeFiles: @escaping @Sendable ([ArtifactKey]) throws -> Void
    ) async throws -> [ArtifactKey] {
        try await write {
            try await $0.removeArtifacts(keys, tenant: tenant, usedBefore: usedBefore, cutoffs, removeFiles: removeFiles)
        }
    }
    func removeAssets(
        _ hashes: [String], tenant: Int64, usedBefore: Date, _ cutoffs: FileCutoffs,
        removeFiles: @escaping @Sendable ([String]) throws -> Void
    ) async throws -> [String] {
        try await write {
            try await $0.removeAssets(hashes, tenant: tenant, usedBefore: usedBefore, cutoffs, removeFiles: removeFiles)
        }
    }
}
