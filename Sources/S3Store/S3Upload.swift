import ArtifactStore
import ContentHashing
import ExportPlan
import HTTPClient

/// An upload whose bytes come one after the other. At most two parts of it are in memory: one that is sent, and one that
/// is filled.
actor S3Upload: BlobUpload {
    private let store: S3Blobs
    private let name: BlobName
    private let options: UploadOptions
    private var bytes: [UInt8] = []
    private var multipart: S3Multipart?
    private var parts: [S3Part] = []
    private var sending: Task<S3Part, any Error>?
    private var isOver = false

    init(_ store: S3Blobs, _ name: BlobName, _ options: UploadOptions) {
        self.store = store
        self.name = name
        self.options = options
    }

    func write(_ more: [UInt8]) async throws {
        guard !isOver else { throw BlobError(.refused, subject: "\(name)", message: "is written after its upload has ended") }
        var rest = more[...]
        while !rest.isEmpty {
            let taken = rest.prefix(Int(store.sizes.part) - bytes.count)
            bytes += taken
            rest = rest.dropFirst(taken.count)
            if bytes.count == Int(store.sizes.part) { try await send() }
        }
    }

    /// Sends the bytes so far as the next part, when the one before has arrived.
    private func send() async throws {
        try await settle()
        let upload: S3Multipart
        do {
            upload = try await begun()
        } catch let fault as S3Fault {
            throw fault.error
        }
        guard parts.count < Int(store.sizes.partCount) else {
            throw BlobError(
                .refused, subject: "\(store.settings.description)/\(name)",
                message: "cannot be stored: it has more than \(store.sizes.partCount) parts of \(store.sizes.part) bytes")
        }
        let body = bytes
        let number = parts.count + 1
        bytes = []
        sending = Task { try await upload.put(.bytes(body), hash: ContentHash.of(body), number: number) }
    }

    private func begun() async throws -> S3Multipart {
        if let multipart { return multipart }
        let upload = try await S3Multipart(begin: name.text, options, store.client)
        multipart = upload
        return upload
    }

    /// Waits for the part that is on its way.
    private func settle() async throws {
        guard let sending else { return }
        self.sending = nil
        do {
            parts.append(
                try await withTaskCancellationHandler {
                    try await sending.value
                } onCancel: {
                    sending.cancel()
                })
        } catch let fault as S3Fault {
            throw fault.error
        }
    }

    func finish() async throws -> Bool {
        do {
            let isStored = try await storeRest()
            isOver = true
            if !isStored { await multipart?.abort() }
            return isStored
        } catch {
            await abandon()
            throw (error as? S3Fault)?.error ?? error
        }
    }

    private func storeRest() async throws -> Bool {
        guard multipart != nil else {
            let hash = ContentHash.of(bytes)
            return try await store.put(.bytes(bytes), hash: hash, as: name, options)
        }
        if !bytes.isEmpty { try await send() }
        try await settle()
        return try await begun().complete(parts, replaces: options.replaces)
    }

    func abandon() async {
        isOver = true
        bytes = []
        sending?.cancel()
        _ = await sending?.result  // a part that arrives after the end would stay
        sending = nil
        await multipart?.abort()
        multipart = nil
    }
}
