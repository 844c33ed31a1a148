package import ArtifactStore
import BlockingWork
import ContentHashing
import ExportPlan
import Glibc
import HTTPClient

/// Storing and copying objects.
extension S3Blobs {
    package func upload(_ path: String, as name: BlobName, _ options: UploadOptions) async throws -> Bool {
        if let shared = options.shared, let isStored = try await upload(path, sharing: shared, as: name, options) {
            return isStored
        }
        let file = try status(of: path)
        let size = Int64(file.st_size)
        guard size > sizes.part else {
            let hash = try await hash(of: path, 0..<size)
            return try await answering { try await put(.file(path: path, byteCount: size), hash: hash, as: name, options) }
        }
        return try await upload(path, file, in: PlannedPart.parts(of: size, sharing: [], sizes), as: name, options)
    }

    /// Stores a file of which another object has bytes.
    /// - Returns: nil where all bytes have to be sent: the object is not what it was, nothing is worth a copy, or the
    ///   service does not copy parts as this needs it.
    private func upload(
        _ path: String, sharing shared: SharedBytes, as name: BlobName, _ options: UploadOptions
    ) async throws -> Bool? {
        let file = try status(of: path)
        let size = Int64(file.st_size)
        let parts = PlannedPart.parts(of: size, sharing: shared.runs, sizes)
        guard parts.contains(where: { $0.offset != nil }) else { return nil }
        do {
            guard try await info(of: shared.blob)?.version == shared.version else { return nil }
            let isStored = try await upload(path, file, in: parts, as: name, options)
            guard isStored else { return false }
            // A service that copies more than it was asked for makes another object.
            return try await info(of: name)?.byteCount == size ? true : nil
        } catch let error as BlobError where error.code != .cannotRead {
            return nil
        }
    }

    /// Stores a file in parts.
    /// - Parameter file: what is known of the file, which must not change meanwhile.
    private func upload(
        _ path: String, _ file: stat, in planned: [PlannedPart], as name: BlobName, _ options: UploadOptions
    ) async throws -> Bool {
        try await inParts(name, options) { upload in
            let parts = try await each(planned) { part, number in
                let range = part.range
                if let shared = options.shared, let offset = part.offset {
                    let source = offset..<offset + (range.upperBound - range.lowerBound)
                    return try await upload.copy(source, of: shared.blob.text, version: shared.version, number: number)
                }
                let hash = try await hash(of: path, range)
                let body = OutgoingRequest.Body.file(
                    path: path, offset: range.lowerBound, byteCount: range.upperBound - range.lowerBound)
                return try await upload.put(body, hash: hash, number: number)
            }
            guard try status(of: path).isSameFile(as: file) else {
                throw BlobError(.cannotRead, subject: path, message: "was changed while it was uploaded")
            }
            return parts
        }
    }

    /// Gives the service parts, several at a time.
    /// - Parameter give: gives it a part with its number, from 1.
    private func each(
        _ planned: [PlannedPart], _ give: @escaping @Sendable (PlannedPart, Int) async throws -> S3Part
    ) async throws -> [S3Part] {
        try await withThrowingTaskGroup(of: S3Part.self) { group in
            var parts: [S3Part] = []
            for (index, part) in planned.enumerated() {
                if index >= S3Blobs.partsAtOnce, let part = try await group.next() { parts.append(part) }
                group.addTask { try await give(part, index + 1) }
            }
            for try await part in group { parts.append(part) }
            return parts
        }
    }

    /// - Throws: `BlobError` `cannotRead`, also for what is no regular file.
    private func status(of path: String) throws(BlobError) -> stat {
        var status = stat()
        let code = stat(path, &status) == 0 ? 0 : errno
        guard code == 0, status.st_mode & S_IFMT == S_IFREG else {
            let reason = code == 0 ? "it is no regular file" : String(cString: strerror(code))
            throw BlobError(.cannotRead, subject: path, message: "cannot be read: \(reason)")
        }
        return status
    }

    package func beginUpload(as name: BlobName, _ options: UploadOptions) async throws -> any BlobUpload {
        S3Upload(self, name, options)
    }

    /// Stores an object with one request.
    func put(
        _ body: OutgoingRequest.Body, hash: String, as name: BlobName, _ options: UploadOptions
    ) async throws -> Bool {
        var request = S3Request("PUT", key: name.text)
        request.body = body
        request.bodyHash = hash
        request.contentType = options.contentType
        let mark = S3Mark()
        request.headers = [(S3Mark.header, mark.text)] + options.headers
        guard !options.replaces else {
            _ = try await client.send(request)
            return true
        }
        request.headers.append(("If-None-Match", "*"))
        do {
            _ = try await client.send(request)
            return true
        } catch let fault as S3Fault where fault.isOccupied {
            // The object may be this one, stored by a request whose answer was lost.
            let (exists, isOwn) = try await client.look(at: name.text, for: mark)
            guard exists else { throw fault }
            return isOwn
        }
    }

    /// Begins an upload in parts, and ends it: by an object, or without a trace where `body` or the end fails.
    private func inParts(
        _ name: BlobName, _ options: UploadOptions, _ body: @Sendable (S3Multipart) async throws -> [S3Part]
    ) async throws -> Bool {
        try await answering {
            let upload = try await S3Multipart(begin: name.text, options, client)
            do {
                let parts = try await body(upload)
                if try await upload.complete(parts, replaces: options.replaces) { return true }
            } catch {
                await upload.abort()
                throw error
            }
            await upload.abort()
            return false
        }
    }

    private func hash(of path: String, _ range: Range<Int64>) async throws -> String {
        do {
            return try await hashing.run(lane: 0) { try FilePart.hash(of: path, range) }
        } catch is BlockingPool.Full {
            throw BlobError(.unavailable, subject: path, message: "cannot be read now: too many files are read at a time")
        }
    }

    package func copy(_ name: BlobName, to other: BlobName) async throws -> Bool {
        guard let found = try await info(of: name) else { return false }
        guard found.byteCount > sizes.copy else {
            return try await answering {
                var request = S3Request("PUT", key: other.text)
                request.headers = [(CopySource.header, settings.copySource(name.text))]
                try await client.ask(request, "CopyObject")
                return true
            }
        }
        // The service copies larger objects only in parts.
        let whole = [SharedBytes.Run(range: 0..<found.byteCount, offset: 0)]
        let parts = PlannedPart.parts(of: found.byteCount, sharing: whole, sizes)
        return try await inParts(other, UploadOptions()) { upload in
            try await each(parts) { part, number in
                try await upload.copy(part.range, of: name.text, version: found.version, number: number)
            }
        }
    }
}

extension stat {
    /// Whether a second look at a path has found the same file, unchanged.
    fileprivate func isSameFile(as other: stat) -> Bool {
        st_dev == other.st_dev && st_ino == other.st_ino && st_size == other.st_size
            && st_mtim.tv_sec == other.st_mtim.tv_sec && st_mtim.tv_nsec == other.st_mtim.tv_nsec
    }
}
