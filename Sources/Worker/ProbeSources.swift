import ArtifactStore
import ExportPlan
import JobQueue
import RemoteSources

/// Fetches the sources of probes from their addresses. They become assets of the tenant in the farm's store, so that every
/// later job of the export reads the bytes that were probed.
actor ProbeSources {
    private let configuration: WorkerConfiguration
    private var fetcher: RemoteFetcher?
    /// What this worker fetches now. Others that want the same wait, and then only ask whether it has changed.
    private var underWay: [Place: Task<FetchedSource?, Never>] = [:]

    private struct Place: Hashable {
        var tenant: Int64
        var location: String
    }

    init(_ configuration: WorkerConfiguration) { self.configuration = configuration }

    /// Fetches what a probe reads.
    /// - Returns: the work with assets in place of addresses, and what is known of them, by address.
    /// - Throws: `JobFailure` or `CancellationError`.
    func fetch(for ticket: JobTicket) async throws -> (work: RenderJob, fetched: [String: FetchedSource]) {
        var fetched: [String: FetchedSource] = [:]
        for location in Set(ticket.work.remoteLocations).sorted() {
            fetched[location] = try await fetch(location, for: ticket)
        }
        let work = ticket.work.resolvingPaths { location in
            fetched[location].map { AssetLocation.location(of: $0.contentHash) } ?? location
        }
        return (work, fetched)
    }

    private func fetch(_ location: String, for ticket: JobTicket) async throws -> FetchedSource {
        let fetcher = try openFetcher()
        let place = Place(tenant: ticket.tenant, location: location)
        var known = ticket.remote?.known[location]
        while let other = underWay[place] {
            known = try await waitUnlessCancelled { await other.value } ?? known
            if underWay[place] == other { underWay[place] = nil }
        }
        var patterns: AddressList?
        if let texts = ticket.remote?.addresses {
            // A pattern that this version does not know allows nothing.
            patterns = AddressList(texts.compactMap(AddressPattern.init))
        }
        let wanted = RemoteFetcher.Wanted(
            location, tenant: ticket.tenant, tenantName: ticket.remote?.tenant ?? "", addresses: patterns, known: known)
        // It is cancelled below together with this call, and others only wait for its end.
        let task = Task { try await fetcher.fetch(wanted) }
        let ended = Task { try? await task.value }  // the failure is that of the first job; the others try themselves
        underWay[place] = ended
        defer { if underWay[place] == ended { underWay[place] = nil } }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// The fetcher, which needs a directory of the store.
    private func openFetcher() throws -> RemoteFetcher {
        if let fetcher { return fetcher }
        do {
            let assets: any AssetBlobs =
                try configuration.mirror.map { try MirroredAssets($0) } ?? DirectoryAssets(configuration.directory)
            let opened = RemoteFetcher(configuration.remotes, into: assets)
            fetcher = opened
            return opened
        } catch let error as AssetUploadError {
            throw JobFailure(.storage, subject: configuration.directory.root, message: error.message)
        }
    }
}
