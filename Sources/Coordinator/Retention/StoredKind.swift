import ExportPlan
import FoundationEssentials

/// A kind of stored files, by their names: where they are, and what the database says of them.
protocol StoredKind: Sendable {
    func files(of tenant: Int64) -> CollectedFiles
    func records(_ names: [String], _ tenant: Int64) async throws -> [String: FileRecord]
    /// Which names an open export uses although the database may not have records of the files.
    func inUse(_ names: [String], _ tenant: Int64) async throws -> Set<String>
    /// Names with records that were last used before a time, in order.
    func names(of tenant: Int64, usedBefore: Date, after: String, limit: Int) async throws -> [String]
    /// Removes the records that nothing needs.
    func remove(
        _ names: [String], _ tenant: Int64, usedBefore: Date, removeFiles: @escaping @Sendable ([String]) throws -> Void
    ) async throws -> Set<String>
}

struct Artifacts: StoredKind {
    private let store: any FarmStore
    private let place: CollectedStore
    private let cutoffs: FileCutoffs

    init(_ store: any FarmStore, _ place: CollectedStore, _ cutoffs: FileCutoffs) {
        self.store = store
        self.place = place
        self.cutoffs = cutoffs
    }

    func files(of tenant: Int64) -> CollectedFiles { place.artifacts(of: tenant) }

    func records(_ names: [String], _ tenant: Int64) async throws -> [String: FileRecord] {
        let records = try await store.artifactRecords(names.map { ArtifactKey($0) }, tenant: tenant, cutoffs)
        return Dictionary(uniqueKeysWithValues: records.map { ($0.key.text, $0.value) })
    }

    func inUse(_ names: [String], _ tenant: Int64) async throws -> Set<String> {
        Set(try await store.artifactsInUse(names.map { ArtifactKey($0) }, tenant: tenant).map(\.text))
    }

    func names(of tenant: Int64, usedBefore: Date, after: String, limit: Int) async throws -> [String] {
        try await store.artifacts(of: tenant, usedBefore: usedBefore, after: after, limit: limit).map(\.text)
    }

    func remove(
        _ names: [String], _ tenant: Int64, usedBefore: Date, removeFiles: @escaping @Sendable ([String]) throws -> Void
    ) async throws -> Set<String> {
        let removed = try await store.removeArtifacts(
            names.map { ArtifactKey($0) }, tenant: tenant, usedBefore: usedBefore, cutoffs
        ) { try removeFiles($0.map(\.text)) }
        return Set(removed.map(\.text))
    }
}

struct Sources: StoredKind {
    private let store: any FarmStore
    private let place: CollectedStore

    init(_ store: any FarmStore, _ place: CollectedStore) {
        self.store = store
        self.place = place
    }

    func files(of tenant: Int64) -> CollectedFiles { place.assets(of: tenant) }

    func records(_ names: [String], _ tenant: Int64) async throws -> [String: FileRecord] {
        try await store.assetRecords(names, tenant: tenant, FileCutoffs())
    }

    /// An asset without a record is uploaded again before it is used.
    func inUse(_ names: [String], _ tenant: Int64) async throws -> Set<String> { [] }

    /// A record without its file is kept: whoever uses it is told to upload the asset again.
    func names(of tenant: Int64, usedBefore: Date, after: String, limit: Int) async throws -> [String] { [] }

    func remove(
        _ names: [String], _ tenant: Int64, usedBefore: Date, removeFiles: @escaping @Sendable ([String]) throws -> Void
    ) async throws -> Set<String> {
        Set(
            try await store.removeAssets(
                names, tenant: tenant, usedBefore: usedBefore, FileCutoffs(), removeFiles: removeFiles))
    }
}
