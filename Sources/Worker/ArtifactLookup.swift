import FarmAPI
import ArtifactStore
import BlockingWork
import ContentHashing
import ExportPlan
import JobQueue
import Glibc

/// Looks things up in the store for one job at a time: whether the job's artifact is there and intact, and where its
/// sources lie. That may read all of a film or wait for a disk, so it has its own thread, and each slot of a worker has
/// its own lookup. Every call that the storage may never answer is entered into `watch`.
actor ArtifactLookup {
    nonisolated let watch = ReadWatch()
    private let thread = BlockingThread(name: "artifact-lookup")
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
    private let directory: FarmDirectory
    private let locator: SourceLocator

    private let owner: RenderUser?
    /// Tenants whose directories were prepared since the worker began.
    private var known: Set<Int64> = []
    private let assets: AssetVerifier

    private let isMirror: Bool

    /// - Parameters:
    ///   - isMirror: whether the directory has only copies of the store's files.
    ///   - owner: the user that rendering processes run as, where it is not the worker's own user.
    init(
        _ directory: FarmDirectory, isMirror: Bool, allowedDirectories: [String], owner: RenderUser?, assets: AssetVerifier
    ) {
        self.assets = assets
        self.isMirror = isMirror
        self.directory = directory
        self.owner = owner
        locator = SourceLocator(directory: directory, allowedDirectories: AllowedDirectories(allowedDirectories))
    }

    /// The result of checking the store.
    struct Trouble: Sendable {
        /// The reason why the store cannot be used; nil where it can.
        var reason: String?
    }

    /// Checks that the store is there and belongs to the farm.
    /// - Parameter farm: the farm's id; nil where it is not known.
    func trouble(ofFarm farm: String?) -> Trouble {
        var marker = directory.marker
        // This machine's copies of a store belong to no farm.
        if !isMirror { marker.farm = farm }
        do {
            try watch.call(directory.root) { try marker.check() }
            return Trouble()
        } catch let error as any ClassifiedError {
            return Trouble(reason: "'\(error.subject)' \(error.message)")
        } catch {
            return Trouble(reason: "\(error)")
        }
    }

    /// - Returns: the warnings about damage that was concealed while the artifact was made; nil where the store does
    ///   not have the artifact intact.
    /// - Throws: `ArtifactError` when the store is away or cannot be read.
    func warnings(ofStored key: ArtifactKey, tenant: Int64) throws -> [SourceWarning]? {
        try watch.calls(directory.root) { answered in
            let store = try DirectoryArtifactStore(directory: directory.artifacts(ofTenant: tenant))
            guard try store.localFile(for: key, progress: answered) != nil else { return nil }
            return try store.warnings(of: key)
        }
    }

    /// Prepares the tenant's directory for a rendering process.
    /// - Throws: `ArtifactError` when the store is away or cannot be written.
    func prepare(tenant: Int64) throws {
        try watch.call(directory.root) {
            try TenantDirectory(directory: directory, tenant: tenant, owner: owner).prepare(isFirst: !known.contains(tenant))
        }
        known.insert(tenant)
    }

    /// The ticket's work with this machine's paths in place of locations, and with the file identities that assets have
    /// on this machine: an asset is its bytes, wherever and whenever they were stored.
    /// - Throws: `JobFailure`, as `SourceLocator` and `AssetVerifier` do.
    func work(of ticket: JobTicket) throws -> RenderJob {
        let located = try ticket.work.resolvingPaths { try path(of: $0, tenant: ticket.tenant) }
        if case .probe(let location, nil) = ticket.work, case .probe(let path, nil) = located {
            if let hash = AssetLocation.hash(of: location) { _ = try identity(ofAsset: path, hash: hash) }
            return located
        }
        var references = located.references
        for (index, named) in ticket.work.references.enumerated() where index < references.count {
            guard let hash = AssetLocation.hash(of: named.path) else { continue }
            references[index].facts.identity = try identity(ofAsset: references[index].path, hash: hash)
        }
        return located.with(sources: references)
    }

    /// The directories outside a tenant's artifact store that a rendering process may read for the tenant's jobs. Only those
    /// that exist, so that a process that began before one existed is replaced by another.
    func readable(ofTenant tenant: Int64) -> [String] {
        let assets = directory.assets(ofTenant: tenant)
        let allowed = locator.allowedDirectories.directories.map { path in
            watch.call(path) { AllowedDirectories.resolved(path) }
        }
        return ([assets] + allowed).filter { path in watch.call(path) { access(path, F_OK) == 0 } }
    }

    /// Which file system and which directory a tenant's artifact store is, by the system's numbers.
    func fileSystem(ofTenant tenant: Int64) -> String? {
        watch.call(directory.root) {
            var status = stat()
            guard stat(directory.artifacts(ofTenant: tenant), &status) == 0 else { return nil }
            return "\(status.st_dev):\(status.st_ino)"
        }
    }

    private func path(of location: String, tenant: Int64) throws -> String {
        let isAsset = AssetLocation.hash(of: location) != nil
        return try watch.call(isAsset ? directory.root : location) { try locator.path(of: location, tenant: tenant) }
    }

    private func identity(ofAsset path: String, hash: String) throws -> FileIdentity {
        try watch.calls(path) { try assets.identity(ofAsset: path, hash: hash, progress: $0) }
    }

    /// The failure that a rendering process's result amounts to; nil for a true result. A result counts only where the
    /// artifact in the store, or the facts of the source, confirm it.
    func fault(of result: JobResult, _ ticket: JobTicket) -> JobFailure? {
        guard ticket.kind == .probe else {
            do {
                let isThere = try watch.call(directory.root) {
                    let store = try DirectoryArtifactStore(directory: directory.artifacts(ofTenant: ticket.tenant))
                    if try store.has(ticket.key) { return true }
                    try directory.marker.check()
                    return false
                }
                guard !isThere else { return nil }
            } catch let error as any ClassifiedError {
                return JobFailure(error)
            } catch {
                return JobFailure(.crash, subject: "", message: "unexpected error: \(error)")
            }
            return JobFailure(
                .crash, subject: ticket.key.text,
                message: "the rendering process reported an artifact that the store does not have")
        }
        guard let facts = result.facts else {
            return JobFailure(.crash, subject: "", message: "the rendering process probed a source and reported no facts")
        }
        if case .probe(let location, nil) = ticket.work, let hash = AssetLocation.hash(of: location), hash != facts.contentHash {
            return JobFailure(.crash, subject: location, message: "the rendering process found another hash than the asset's")
        }
        return facts.validationError.map {
            JobFailure(.crash, subject: "", message: "the rendering process found \($0)")
        }
    }

    /// The bytes of the artifact that a job has made; nil where it made none, or nobody can tell.
    func size(of ticket: JobTicket) -> Int64? {
        guard ticket.kind != .probe else { return nil }
        // It is for the farm's numbers alone: where it cannot be read, the job is done all the same.
        return try? watch.call(directory.root) {
            let store = try DirectoryArtifactStore(directory: directory.artifacts(ofTenant: ticket.tenant))
            return store.byteCount(of: ticket.key)
        }
    }

    /// The failure with its changed source named as the draft names it.
    private func named(_ failure: JobFailure, _ ticket: JobTicket) -> JobFailure {
        guard let path = failure.changedSource else { return failure }
        var locations = ticket.work.references.map(\.path)
        if case .probe(let location, nil) = ticket.work { locations.append(location) }
        var named = failure
        // A source that is gone by now has no path any more.
        named.changedSource = locations.first { (try? self.path(of: $0, tenant: ticket.tenant)) == path } ?? path
        return named
    }

    /// Classifies a failure again: a file that a rendering process took for missing may lie in a store that is away.
    /// The failure then is of class `storage`, and the job waits until the store is back.
    func judged(_ failure: JobFailure, of ticket: JobTicket) -> JobFailure {
        let failure = named(failure, ticket)
        guard failure.failureClass == .input || failure.missingArtifacts != nil else { return failure }
        do {
            try watch.call(directory.root) { try directory.marker.check() }
            _ = try work(of: ticket)
            return failure
        } catch let error as any ClassifiedError where error.failureClass == .storage {
            return JobFailure(error)
        } catch {
            return failure
        }
    }
}
