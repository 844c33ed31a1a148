package import ArtifactStore
package import ExportPlan
import HTTPClient

/// Fetches sources from their addresses into a store of assets, each as often as its bytes change.
package struct RemoteFetcher: Sendable {
    let policy: RemotePolicy
    let assets: any AssetBlobs
    let connections: Connections

    /// - Parameter assets: where the bytes are stored, by their sha256.
    package init(_ policy: RemotePolicy, into assets: any AssetBlobs) {
        self.policy = policy
        self.assets = assets
        connections = Connections(
            connecting: policy.connecting, silence: policy.silence, slowest: policy.slowest,
            rules: .publicAddresses(and: policy.networks))
    }

    /// A source that is wanted.
    package struct Wanted: Sendable {
        package var location: String
        /// The tenant whose asset it becomes.
        package var tenant: Int64
        /// The tenant's name, which credentials may be limited to; nil for a local export.
        package var tenantName: String?
        /// The addresses that the tenant may use; nil where it may use all those of the farm.
        package var addresses: AddressList?
        /// What is known since it was last fetched.
        package var known: FetchedSource?

        package init(
            _ location: String, tenant: Int64, tenantName: String? = nil, addresses: AddressList? = nil,
            known: FetchedSource? = nil
        ) {
            self.location = location
            self.tenant = tenant
            self.tenantName = tenantName
            self.addresses = addresses
            self.known = known
        }
    }

    /// Fetches a source, unless the store has its present bytes.
    /// - Parameter progress: is told how many bytes have arrived.
    /// - Throws: `JobFailure`: class `input` where the address or what is there cannot be used, `transient` where the server
    ///   may answer later, `storage` where the bytes cannot be stored; or `CancellationError`.
    package func fetch(
        _ wanted: Wanted, progress: @escaping @Sendable (Int64) -> Void = { _ in }
    ) async throws -> FetchedSource {
        let location: RemoteLocation
        do {
            location = try RemoteLocation(wanted.location)
        } catch {
            throw JobFailure(.input, subject: RemoteLocation.name(of: wanted.location), message: error.message)
        }
        if let complaint = complaint(about: location, wanted) {
            throw JobFailure(.input, subject: location.name, message: complaint)
        }
        do {
            switch location.scheme {
            case .data: return try await decode(location, wanted)
            case .s3: return try await BucketDownload(self, location, wanted, progress).fetch()
            case .https, .http:
                return try await withTimeLimit(location) {
                    try await HTTPDownload(self, location, wanted, progress).fetch()
                }
            }
        } catch let error as AssetUploadError {
            throw JobFailure(.storage, subject: location.name, message: "cannot be stored: \(error.message)")
        } catch let error as ArtifactError {
            throw JobFailure(error)
        }
    }

    /// Why an address may not be asked for; nil where it may.
    func complaint(about location: RemoteLocation, _ wanted: Wanted) -> String? {
        policy.addresses.complaint(about: location) ?? wanted.addresses?.complaint(about: location)
    }

    /// Whether the bytes that are known are there, so that it is enough to ask whether they have changed.
    func usable(_ wanted: Wanted) async throws -> FetchedSource? {
        guard let known = wanted.known, known.canBeChecked, try await assets.has(known.contentHash, tenant: wanted.tenant) else {
            return nil
        }
        return known
    }

    func tooLarge(_ location: RemoteLocation) -> JobFailure {
        JobFailure(.input, subject: location.name, message: "has more than the \(policy.byteLimit) bytes that are allowed")
    }

    private func decode(_ location: RemoteLocation, _ wanted: Wanted) async throws -> FetchedSource {
        guard let bytes = DataAddress.bytes(location.path) else {
            throw JobFailure(.input, subject: location.name, message: "is malformed; write it as data:image/png;base64,...")
        }
        guard Int64(bytes.count) <= policy.byteLimit else { throw tooLarge(location) }
        let upload = try await assets.beginUpload(tenant: wanted.tenant)
        do {
            try await upload.write(bytes)
            let stored = try await upload.finish(as: nil)
            return FetchedSource(contentHash: stored.hash, byteCount: stored.byteCount)
        } catch {
            await upload.abandon()
            throw error
        }
    }

    /// Ends what takes longer than the time limit.
    private func withTimeLimit<Result: Sendable>(
        _ location: RemoteLocation, _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask { try await body() }
            group.addTask { [policy] in
                try await Task.sleep(for: policy.timeLimit)
                return nil
            }
            defer { group.cancelAll() }
            if let result = try await group.next() ?? nil { return result }
            throw JobFailure(
                .input, subject: location.name,
                message: "was not fetched within \(policy.timeLimit.components.seconds) s")
        }
    }
}
