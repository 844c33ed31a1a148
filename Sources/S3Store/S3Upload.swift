import ArtifactStore
import ContentHashing
import ExportPlan
import HTTPClient

/// An upload whose bytes come one after the other. At most two parts of it are in memory: one that is sent, and one that
/// is filled. After a failure nothing more is taken, because the blob would have a hole.
actor S3Upload: BlobUpload {
    private let store: S3Blobs
    private let name: BlobName
    private let options: UploadOptions
    private var bytes: [UInt8] = []
    private var multipart: S3Multipart?
    private var parts: [S3Part] = []
    private var sending: Task<S3Part, any Error>?
    /// Why nothing more is taken.
    private var end: BlobError?

    init(_ store: S3Blobs, _ name: BlobName, _ options: UploadOptions) {
        self.store = store
        self.name = name
        self.options = options
    }

    func write(_ more: [UInt8]) async throws {
        if let end { throw end }
        do {
            var rest = more[...]
            while !rest.isEmpty {
                let taken = rest.prefix(Int(store.sizes.part) - bytes.count)
                bytes += taken
                rest = rest.dropFirst(taken.count)
                if bytes.count == Int(store.sizes.part) { try await send() }
            }
        } catch {
            await abandon()
            throw (error as? S3Fault)?.error ?? error
        }
    }

    /// Sends the bytes so far as the next part, when the one before has arrived.
    private func send() async throws {
        try await settle()
        guard parts.count < Int(store.sizes.partCount) else {
            throw BlobError(
                .refused, subject: "\(store.settings.description)/\(name)",
                message: "cannot be stored: it has more than \(store.sizes.partCount) parts of \(store.sizes.part) bytes")
        }
        let upload: S3Multipart
        if let multipart {
            upload = multipart
        } else {
            upload = try await S3Multipart(begin: name.text, options, store.client)
            multipart = upload
        }
        let body = bytes
        let number = parts.count + 1
        bytes = []
        sending = Task { try await upload.put(.bytes(body), hash: ContentHash.of(body), number: number) }
    }

    /// Waits for the part that is on its way, also when the task is cancelled: the service may keep a part that arrives
    /// after the upload was removed.
    private func settle() async throws {
        guard let sending else { return }
        self.sending = nil
        parts.append(try await sending.value)
        try Task.checkCancellation()
    }

    func finish() async throws -> Bool {
        if let end { throw end }
        do {
            let isStored = try await storeRest()
            if isStored { multipart = nil }
            await abandon()
            return isStored
        } catch {
            await abandon()
            throw (error as? S3Fault)?.error ?? error
        }
    }

    private func storeRest() async throws -> Bool {
        guard multipart != nil else {
            return try await store.put(.bytes(bytes), hash: ContentHash.of(bytes), as: name, options)
        }
        if !bytes.isEmpty { try await send() }
        try await settle()
        guard let multipart else { throw S3Upload.over(name) }  // ended meanwhile
        return try await multipart.complete(parts, replaces: options.replaces)
    }

    func abandon() async {
        end = S3Upload.over(name)
        bytes = []
        _ = await sending?.result  // see `settle`
        sending = nil
        let removed = multipart
        multipart = nil
        await removed?.abort()
    }

    private static func over(_ name: BlobName) -> BlobError {
        BlobError(.refused, subject: "\(name)", message: "cannot be stored, because its upload has ended")
    }
}
