import ArtifactStore
import ExportPlan
import FarmAPI
import JobQueue

/// The files of running jobs, on a machine that does not share its files with the farm's store: what a job reads is fetched
/// and stays until it ends, and what it has made is published. A stitch begins while its segments are still on their way;
/// every other job begins when everything is there.
actor JobFiles {
    private let store: MirroredStore
    private var used: [AttemptID: [CachedFile]] = [:]
    /// The fetching of artifacts for jobs that have begun.
    private var streams: [AttemptID: Task<Void, any Error>] = [:]
    /// The farm that the store is known to belong to.
    private var checkedFarm: String?

    init(_ store: MirroredStore) { self.store = store }

    /// Checks once that the store belongs to the farm. A store that does not answer is noticed when it is used.
    /// - Throws: `BlobError`.
    func check(farm: String?) async throws {
        guard let farm, checkedFarm != farm else { return }
        try await store.check(farm: farm)
        checkedFarm = farm
    }

    /// The warnings about damage that was concealed while the job's artifact was made; nil where the store does not have it.
    /// - Throws: `BlobError`.
    func warnings(ofStored ticket: JobTicket) async throws -> [SourceWarning]? {
        try await store.warnings(ofStored: ticket.key, tenant: ticket.tenant)
    }

    /// Fetches what the job needs before it begins.
    /// - Returns: the fetching of what it can wait for while it runs; nil where everything is there.
    /// - Throws: `BlobError`, and `JobFailure`: class `transient` where artifacts are gone, class `input` where an asset is
    ///   gone or damaged. The fetching that is returned throws the same.
    func fetch(for ticket: JobTicket) async throws -> Task<Void, any Error>? {
        guard case .stitch(_, let segments, _, _, _) = ticket.work else {
            used[ticket.identity] = try await files(ticket.work.artifacts, ticket.work.assets, tenant: ticket.tenant)
            return nil
        }
        used[ticket.identity] = try await files([], ticket.work.assets, tenant: ticket.tenant)
        // The joined film needs its sound from the beginning, and the segments one after the other.
        let artifacts = ticket.work.stitchedSounds.flatMap { $0.map(\.key) } + segments.map(\.key)
        let stream = Task {  // ends by itself, or with the job
            let fetched = try await files(artifacts, [], tenant: ticket.tenant)
            if streams[ticket.identity] != nil { used[ticket.identity, default: []] += fetched }
        }
        streams[ticket.identity] = stream
        return stream
    }

    /// Fetches artifacts, in this order, and assets, several files at a time.
    private func files(
        _ artifacts: [ArtifactKey], _ assets: [String], tenant: Int64
    ) async throws -> [CachedFile] {
        let store = store
        var wanted: [@Sendable () async throws -> Fetched] = artifacts.distinct.map { key in
            { try await store.artifact(key, tenant: tenant).map { .files($0) } ?? .missing(key) }
        }
        wanted += assets.map { hash in
            { .files([try await JobFiles.asset(hash, tenant, store)]) }
        }
        var files: [CachedFile] = []
        var missing: [ArtifactKey] = []
        try await withThrowingTaskGroup(of: Fetched.self) { group in
            var rest = wanted[...]
            func addNext() { if let next = rest.popFirst() { group.addTask(operation: next) } }
            for _ in 0..<JobFiles.atOnce { addNext() }
            while let fetched = try await group.next() {
                switch fetched {
                case .files(let found): files += found
                case .missing(let key): missing.append(key)
                }
                addNext()
            }
        }
        guard missing.isEmpty else {
            throw JobFailure(
                .transient, subject: missing[0].text, message: "is no longer in the artifact store",
                missingArtifacts: missing.sorted { $0.text < $1.text })
        }
        return files
    }

    private enum Fetched: Sendable {
        case files([CachedFile])
        case missing(ArtifactKey)
    }

    /// How many files of a job are fetched at the same time.
    private static let atOnce = 4

    private static func asset(_ hash: String, _ tenant: Int64, _ store: MirroredStore) async throws -> CachedFile {
        let location = AssetLocation.location(of: hash)
        do {
            if let file = try await store.asset(hash, tenant: tenant) { return file }
        } catch let error as BlobError where error.code == .damaged {
            var failure = JobFailure(.input, subject: location, message: "is damaged in the store; upload it again")
            failure.damagedAsset = hash
            throw failure
        }
        // The store has answered, so this is no matter of a store that is away.
        try await store.check(farm: nil)
        throw JobFailure(.input, subject: location, message: "is no longer there; upload it again")
    }

    /// Publishes the artifact that the job has made.
    /// - Throws: `BlobError`.
    func publish(_ ticket: JobTicket) async throws {
        if case .stitch(_, let segments, _, _, _) = ticket.work {
            try await store.publish(film: ticket.key, tenant: ticket.tenant, segments: segments.map(\.key))
        } else {
            try await store.publish(ticket.key, tenant: ticket.tenant)
        }
    }

    /// Removes the machine's copy of an asset, which is damaged.
    func discard(asset hash: String, tenant: Int64) { store.discard(asset: hash, tenant: tenant) }

    /// Ends the use of a job's files.
    func release(_ attempt: AttemptID) {
        used[attempt] = nil
        streams.removeValue(forKey: attempt)?.cancel()
    }
}

extension RenderJob {
    /// The sha256 of the assets that the job reads.
    fileprivate var assets: [String] {
        var locations = references.map(\.path)
        if case .probe(let location, let fonts) = self { locations += fonts.map(\.fileLocations) ?? [location] }
        return Set(locations.compactMap(AssetLocation.hash)).sorted()
    }
}

extension [ArtifactKey] {
    /// Each key once, where it is first.
    fileprivate var distinct: [ArtifactKey] {
        var seen: Set<ArtifactKey> = []
        return filter { seen.insert($0).inserted }
    }
}
