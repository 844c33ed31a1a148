import ArtifactStore
import BlockingWork
import ExportPlan
import JobQueue

/// Looks at the store for a job: whether its artifact is there, whole, and where its sources lie. That may read all of a film,
/// or wait for a disk, so it has a thread of its own.
actor ArtifactShelf {
    private let thread = BlockingThread(name: "artifact-shelf")
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
    private let directory: FarmDirectory
    private let locator: SourceLocator

    private let owner: RenderUser?
    /// Tenants whose folders were looked at since the worker began.
    private var known: Set<Int64> = []
    private var assets = AssetVerifier()

    /// - Parameter owner: whom rendering processes run as, where that is not the worker's own user.
    init(_ directory: FarmDirectory, allowedDirectories: [String], owner: RenderUser?) {
        self.directory = directory
        self.owner = owner
        locator = SourceLocator(directory: directory, allowedDirectories: allowedDirectories)
    }

    /// - Returns: what making the artifact concealed where the store has it whole; nil where it has not.
    /// - Throws: `ArtifactError` when the store is away or cannot be read.
    func warnings(ofStored key: ArtifactKey, tenant: Int64) throws -> [SourceWarning]? {
        let store = try DirectoryArtifactStore(directory: directory.artifacts(ofTenant: tenant))
        guard try store.localFile(for: key) != nil else { return nil }
        return try store.warnings(of: key)
    }

    /// Makes the tenant's directory ready for a rendering process.
    /// - Throws: `ArtifactError` when the store is away or cannot be written.
    func prepare(tenant: Int64) throws {
        try TenantFolder(directory: directory, tenant: tenant, owner: owner).prepare(isFirst: !known.contains(tenant))
        known.insert(tenant)
    }

    /// The ticket's work with the paths of this machine in place of its locations, and the identities of assets as they are here: an
    /// asset is its bytes, wherever and whenever they were stored.
    /// - Throws: `JobFailure`, as `SourceLocator` and `AssetVerifier`.
    func work(of ticket: JobTicket) throws -> RenderJob {
        let located = try ticket.work.resolvingPaths { try locator.path(of: $0, tenant: ticket.tenant) }
        if case .probe(let location, nil) = ticket.work, case .probe(let path, nil) = located {
            if let hash = AssetLocation.hash(of: location) { _ = try assets.identity(ofAsset: path, hash: hash) }
            return located
        }
        var references = located.references
        for (index, named) in ticket.work.references.enumerated() where index < references.count {
            guard let hash = AssetLocation.hash(of: named.path) else { continue }
            references[index].facts.identity = try assets.identity(ofAsset: references[index].path, hash: hash)
        }
        return located.with(sources: references)
    }

    /// What is wrong with a result that a rendering process has reported: nothing is believed that its artifact, or the facts of its
    /// source, do not show.
    func fault(of result: JobResult, _ ticket: JobTicket) -> JobFailure? {
        guard ticket.kind == .probe else {
            let store: DirectoryArtifactStore
            do {
                store = try DirectoryArtifactStore(directory: directory.artifacts(ofTenant: ticket.tenant))
                guard try !store.has(ticket.key) else { return nil }
                try directory.marker.check()
            } catch let error as any ClassifiedError {
                return JobFailure(error)
            } catch {
                return JobFailure(.crash, subject: "", message: "unexpected error: \(error)")
            }
            return JobFailure(
                .crash, subject: ticket.key.text, message: "the rendering process says that it has made what the store has not")
        }
        guard let facts = result.facts else {
            return JobFailure(.crash, subject: "", message: "the rendering process has looked at a source and found nothing")
        }
        if case .probe(let location, nil) = ticket.work, let hash = AssetLocation.hash(of: location), hash != facts.contentHash {
            return JobFailure(.crash, subject: location, message: "the rendering process found another hash than the asset's")
        }
        return facts.impossibility.map {
            JobFailure(.crash, subject: "", message: "the rendering process found \($0)")
        }
    }

    /// A failure that names a changed source as the draft does.
    private func named(_ failure: JobFailure, _ ticket: JobTicket) -> JobFailure {
        guard let path = failure.changedSource else { return failure }
        var locations = ticket.work.references.map(\.path)
        if case .probe(let location, nil) = ticket.work { locations.append(location) }
        var named = failure
        // A source that is gone by now has no path any more.
        named.changedSource = locations.first { (try? locator.path(of: $0, tenant: ticket.tenant)) == path } ?? path
        return named
    }

    /// What a rendering process took for a missing file may be a store that is away: the failure then is the storage's, and
    /// the job waits until it is back.
    func judged(_ failure: JobFailure, of ticket: JobTicket) -> JobFailure {
        let failure = named(failure, ticket)
        guard failure.failureClass == .input || failure.missingArtifacts != nil else { return failure }
        do {
            try directory.marker.check()
            _ = try work(of: ticket)
            return failure
        } catch let error as any ClassifiedError where error.failureClass == .storage {
            return JobFailure(error)
        } catch {
            return failure
        }
    }
}
