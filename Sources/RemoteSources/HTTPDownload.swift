import ArtifactStore
import ExportPlan
import HTTPClient
import Vocabulary
import FoundationEssentials

/// One source on its way from an HTTP server into the store.
///
/// Where the connection breaks, the rest is asked for, if the server says which bytes it has (`If-Range`); otherwise the
/// source is asked for from its beginning.
struct HTTPDownload {
    private let fetcher: RemoteFetcher
    private let location: RemoteLocation
    private let wanted: RemoteFetcher.Wanted
    private let progress: @Sendable (Int64) -> Void
    private var upload: (any AssetUpload)?
    /// How many bytes are in the upload, and the answer that they belong to.
    private var byteCount: Int64 = 0
    private var version: Version?

    /// How a server names the bytes of an answer.
    private struct Version: Sendable {
        var etag: String?
        var lastModified: String?
        var acceptsRanges: Bool

        init(_ response: IncomingResponse) {
            etag = Version.sendable(response.header("ETag"))
            lastModified = Version.sendable(response.header("Last-Modified"))
            acceptsRanges = response.header("Accept-Ranges")?.lowercased() == "bytes"
        }

        /// A value that can be sent back; nil for one that no server has a reason to send.
        private static func sendable(_ value: String?) -> String? {
            value.flatMap { $0.utf8.count <= 500 && $0.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } ? $0 : nil }
        }

        /// What says that a range has to belong to the same bytes (RFC 9110, section 13.1.5); nil where nothing does. A
        /// weak tag stands for bytes that mean the same, and not for the same bytes.
        var condition: String? {
            if let etag { return etag.hasPrefix("W/") ? nil : etag }
            return acceptsRanges ? lastModified : nil
        }
    }

    init(
        _ fetcher: RemoteFetcher, _ location: RemoteLocation, _ wanted: RemoteFetcher.Wanted,
        _ progress: @escaping @Sendable (Int64) -> Void
    ) {
        self.fetcher = fetcher
        self.location = location
        self.wanted = wanted
        self.progress = progress
    }

    /// - Throws: `JobFailure`, `AssetUploadError`, `ArtifactError` or `CancellationError`.
    func fetch() async throws -> FetchedSource {
        var copy = self
        do {
            return try await copy.fetchWithTries()
        } catch {
            await copy.upload?.abandon()
            throw error
        }
    }

    private mutating func fetchWithTries() async throws -> FetchedSource {
        let known = try await fetcher.usable(wanted)
        var pause = fetcher.policy.firstPause
        for number in 1... {
            do {
                return try await fetchOnce(known)
            } catch let failure as JobFailure where failure.failureClass == .transient && number < fetcher.policy.tries {
                let wait = retryAfter ?? pause * Double.random(in: 0.5...1)
                retryAfter = nil
                try await Task.sleep(for: wait)
                pause = min(pause * 2, .seconds(10))
            }
        }
        preconditionFailure("the loop ends with its last try")
    }

    /// How long the server has asked to wait.
    private var retryAfter: Duration?

    private mutating func fetchOnce(_ known: FetchedSource?) async throws -> FetchedSource {
        let request = request(known)
        let response: IncomingResponse
        do {
            let (fetcher, wanted) = (fetcher, wanted)
            response = try await fetcher.connections.execute(request, redirects: fetcher.policy.redirects) { url in
                HTTPDownload.complaint(about: url, fetcher, wanted)
            }
        } catch let error as TransferError {
            throw failure(error)
        }
        switch response.status {
        case 304:
            if let known { return known }
            throw JobFailure(.transient, subject: location.name, message: "was not sent: the server answers 304 without reason")
        case 206:
            guard byteCount > 0, continues(response) else {
                try await restart()
                throw JobFailure(.transient, subject: location.name, message: "was sent from another byte than was asked for")
            }
        case 200: try await restart()
        case 416 where byteCount > 0:
            try await restart()
            throw JobFailure(.transient, subject: location.name, message: "has changed while it was fetched")
        default: throw refused(response)
        }
        if let coding = response.header("Content-Encoding"), !["", "identity"].contains(coding.lowercased()) {
            throw JobFailure(
                .input, subject: location.name,
                message: "is sent compressed, which was not asked for")
        }
        version = Version(response)
        return try await receive(response)
    }

    private func request(_ known: FetchedSource?) -> OutgoingRequest {
        let credentials = fetcher.policy.credentials.found(for: location, tenant: wanted.tenantName)
        var url = location.address
        for (name, value) in credentials.query {
            url += (url.contains("?") ? "&" : "?") + name.percentEncoded() + "=" + value.percentEncoded()
        }
        var request = OutgoingRequest("GET", url, headers: credentials.headers)
        request.setHeader("Accept", "*/*")
        request.setHeader("Accept-Encoding", "identity")
        request.setHeader("User-Agent", "Spool")
        if byteCount > 0, let condition = version?.condition {
            request.setHeader("Range", "bytes=\(byteCount)-")
            request.setHeader("If-Range", condition)
        } else if let known {
            if let etag = known.etag { request.setHeader("If-None-Match", etag) }
            if let date = known.lastModified { request.setHeader("If-Modified-Since", date) }
        }
        return request
    }

    /// Whether a part of the source begins where the bytes that are there end.
    private func continues(_ response: IncomingResponse) -> Bool {
        guard let range = response.header("Content-Range"), range.lowercased().hasPrefix("bytes ") else { return false }
        return Int64(range.dropFirst(6).prefix { $0 != "-" }) == byteCount
    }

    private mutating func restart() async throws {
        await upload?.abandon()
        upload = nil
        byteCount = 0
        version = nil
    }

    private mutating func receive(_ response: IncomingResponse) async throws -> FetchedSource {
        if let length = response.header("Content-Length").flatMap({ Int64($0) }),
            byteCount + length > fetcher.policy.byteLimit
        {
            throw fetcher.tooLarge(location)
        }
        let upload: any AssetUpload
        if let begun = self.upload {
            upload = begun
        } else {
            upload = try await fetcher.assets.beginUpload(tenant: wanted.tenant)
            self.upload = upload
        }
        do {
            for try await chunk in response.body {
                byteCount += Int64(chunk.count)
                guard byteCount <= fetcher.policy.byteLimit else { throw fetcher.tooLarge(location) }
                try await upload.write(chunk)
                progress(byteCount)
            }
        } catch let error as TransferError {
            // What is there is kept where the server can be asked for the rest of the same bytes.
            if version?.condition == nil { try await restart() }
            throw failure(error)
        }
        let stored = try await upload.finish(as: nil)
        self.upload = nil
        return FetchedSource(
            contentHash: stored.hash, byteCount: stored.byteCount, etag: version?.etag, lastModified: version?.lastModified)
    }

    // MARK: Faults

    /// Why an address may not be asked for, as a sentence; nil where it may.
    private static func complaint(about url: String, _ fetcher: RemoteFetcher, _ wanted: RemoteFetcher.Wanted) -> String? {
        do {
            let location = try RemoteLocation(url)
            return fetcher.complaint(about: location, wanted).map { "'\(location.name)' \($0)" }
        } catch {
            return "'\(RemoteLocation.name(of: url))' \(error.message)"
        }
    }

    private func failure(_ error: TransferError) -> JobFailure {
        let failureClass: FailureClass =
            switch error.code {
            case .forbiddenAddress, .untrustedCertificate, .notTLS, .tooManyRedirects, .invalidRequest, .tooLarge: .input
            case .noLibrary: .environment
            default: .transient
            }
        return JobFailure(failureClass, subject: location.name, message: "cannot be fetched: \(error.message)")
    }

    private mutating func refused(_ response: IncomingResponse) -> JobFailure {
        let status = response.status
        guard [408, 425, 429].contains(status) || status >= 500 else {
            let reason: String
            switch status {
            case 401, 403: reason = "; the operator can add credentials for this address (sourceCredentials)"
            case 404, 410: reason = "; there is nothing at this address"
            default: reason = ""
            }
            return JobFailure(
                .input, subject: location.name, message: "cannot be fetched: the server answers \(status)\(reason)")
        }
        if let seconds = response.header("Retry-After").flatMap({ Int($0) }), seconds >= 0 {
            retryAfter = .seconds(min(seconds, 30))
        }
        return JobFailure(.transient, subject: location.name, message: "cannot be fetched: the server answers \(status)")
    }
}
