package import ArtifactStore
import ExportPlan
import Synchronization

/// A store that counts downloads, and fails when it is told to.
package final class WatchedBlobs: BlobStore {
    private struct State {
        var downloads = 0
        /// How the last upload of each blob was asked for.
        var uploads: [BlobName: UploadOptions] = [:]
        var fault: BlobError?
        var absence: BlobError?
        /// Whether uploads wait.
        var isHolding = false
        var held: [CheckedContinuation<Void, Never>] = []
        /// The end of the names of blobs whose downloads wait.
        var slowName: String?
        var slow: [CheckedContinuation<Void, Never>] = []
    }

    private let base: any BlobStore
    private let state = Mutex(State())

    package init(_ base: any BlobStore) { self.base = base }

    /// How many downloads were asked for.
    package var downloads: Int { state.withLock { $0.downloads } }

    /// How the last upload of a file under this name was asked for; nil where there was none.
    package func upload(of name: BlobName) -> UploadOptions? { state.withLock { $0.uploads[name] } }

    /// Makes the next download fail.
    package func fail(with error: BlobError) { state.withLock { $0.fault = error } }

    /// Makes every call fail, until it is called with nil.
    package func leave(with error: BlobError?) { state.withLock { $0.absence = error } }

    /// Makes uploads wait until `letUploadsGo`.
    package func holdUploads() { state.withLock { $0.isHolding = true } }

    package func letUploadsGo() {
        let held = state.withLock { state in
            defer { (state.isHolding, state.held) = (false, []) }
            return state.held
        }
        for upload in held { upload.resume() }
    }

    /// How many uploads wait.
    package var heldUploads: Int { state.withLock { $0.held.count } }

    /// Makes downloads of blobs whose names end like this wait until `letDownloadsGo`.
    package func holdDownloads(of name: String) { state.withLock { $0.slowName = name } }

    package func letDownloadsGo() {
        let held = state.withLock { state in
            defer { (state.slowName, state.slow) = (nil, []) }
            return state.slow
        }
        for download in held { download.resume() }
    }

    private func waitWhileSlow(_ name: BlobName) async {
        await withCheckedContinuation { waiter in
            let waits = state.withLock { state in
                let waits = state.slowName.map(name.text.hasSuffix) ?? false
                if waits { state.slow.append(waiter) }
                return waits
            }
            if !waits { waiter.resume() }
        }
    }

    private func waitWhileHeld() async {
        await withCheckedContinuation { waiter in
            let waits = state.withLock { state in
                if state.isHolding { state.held.append(waiter) }
                return state.isHolding
            }
            if !waits { waiter.resume() }
        }
    }

    private func present() throws -> any BlobStore {
        if let absence = state.withLock({ $0.absence }) { throw absence }
        return base
    }

    package func download(_ name: BlobName, to path: String, sha256: String?) async throws -> BlobInfo? {
        let fault = state.withLock { state in
            state.downloads += 1
            defer { state.fault = nil }
            return state.fault
        }
        if let fault { throw fault }
        await waitWhileSlow(name)
        return try await present().download(name, to: path, sha256: sha256)
    }

    package func info(of name: BlobName) async throws -> BlobInfo? { try await present().info(of: name) }
    package func read(_ name: BlobName, range: Range<Int64>?) async throws -> BlobReader? {
        try await present().read(name, range: range)
    }
    package func upload(_ path: String, as name: BlobName, _ options: UploadOptions) async throws -> Bool {
        state.withLock { $0.uploads[name] = options }
        await waitWhileHeld()
        return try await present().upload(path, as: name, options)
    }
    package func beginUpload(as name: BlobName, _ options: UploadOptions) async throws -> any BlobUpload {
        try await present().beginUpload(as: name, options)
    }
    package func copy(_ name: BlobName, to other: BlobName) async throws -> Bool { try await present().copy(name, to: other) }
    package func remove(_ names: [BlobName]) async throws { try await present().remove(names) }
    package func list(_ prefix: String, after: BlobName?, limit: Int) async throws -> [BlobListing] {
        try await present().list(prefix, after: after, limit: limit)
    }
    package func removeLeftovers(olderThan age: Duration) async throws -> Int {
        try await present().removeLeftovers(olderThan: age)
    }
    package func address(of request: BlobRequest, lifetime: Duration) async throws -> String? {
        try await present().address(of: request, lifetime: lifetime)
    }
}
