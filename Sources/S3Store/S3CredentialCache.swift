import ArtifactStore
import BlockingWork
import ExportPlan
import FoundationEssentials
import HTTPClient

/// The credentials that requests are signed with now.
actor S3CredentialCache {
    /// Temporary credentials are replaced so long before they expire.
    private static let margin = 300.0

    private let source: S3CredentialSource
    private let connections: Connections
    private var known: S3Credentials?
    private var readAt = Date(timeIntervalSince1970: 0)
    private var reading: Task<S3Credentials, any Error>?

    init(_ source: S3CredentialSource, _ connections: Connections) {
        self.source = source
        self.connections = connections
    }

    /// - Parameter age: the greatest number of seconds since credentials were read that say nothing of their end; nil for
    ///   any.
    /// - Throws: `BlobError` `denied` or `unavailable`.
    func current(readWithin age: Double? = nil) async throws -> S3Credentials {
        if let known {
            let isFresh = age.map { abs(readAt.timeIntervalSinceNow) <= $0 } ?? true
            if known.expiresAt.map({ $0.timeIntervalSinceNow > S3CredentialCache.margin }) ?? isFresh { return known }
        }
        // Requests that need them meanwhile wait for the same answer.
        let task = reading ?? Task { [source, connections] in try await source.credentials(connections) }
        reading = task
        defer { if reading == task { reading = nil } }
        do {
            let read = try await task.value
            known = read
            readAt = Date()
            return read
        } catch {
            // The present ones may be used to their end.
            if let known, known.expiresAt.map({ $0.timeIntervalSinceNow > 0 }) ?? true { return known }
            throw error
        }
    }

    /// Notes that the service has refused credentials, so that they are read again.
    /// - Returns: whether others may be found.
    func refused(_ credentials: S3Credentials) -> Bool {
        if known == credentials { known = nil }
        if case .fixed = source { return false }
        return true
    }
}

extension S3CredentialSource {
    fileprivate func credentials(_ connections: Connections) async throws -> S3Credentials {
        switch self {
        case .fixed(let credentials): credentials
        case .file(let path, let profile): try S3Credentials.inFile(path, profile: profile)
        case .webIdentity(let identity): try await identity.credentialsWithRetries(connections)
        }
    }
}

extension S3CredentialSource.WebIdentity {
    /// As `credentials`, and again after growing pauses where the service is away.
    fileprivate func credentialsWithRetries(_ connections: Connections) async throws -> S3Credentials {
        let backoff = Backoff(first: .milliseconds(500), limit: .seconds(5))
        for retry in 1...3 {
            do {
                return try await credentials(connections)
            } catch let error as BlobError where error.code == .unavailable {
                try await Task.sleep(for: backoff.pause(before: retry))
            }
        }
        return try await credentials(connections)
    }

    /// Asks the security token service (`AssumeRoleWithWebIdentity` of the AWS STS API reference).
    private func credentials(_ connections: Connections) async throws -> S3Credentials {
        guard let token = FileManager.default.contents(atPath: tokenFile).map({ String(decoding: $0, as: UTF8.self) }) else {
            throw BlobError(
                .denied, subject: tokenFile,
                message: "cannot be read; AWS_WEB_IDENTITY_TOKEN_FILE has to name the token of \(role)")
        }
        let form = S3Settings.query([
            ("Action", "AssumeRoleWithWebIdentity"), ("Version", "2011-06-15"), ("RoleArn", role),
            ("RoleSessionName", sessionName), ("WebIdentityToken", token.filter { !$0.isWhitespace }),
        ])
        let request = OutgoingRequest(
            "POST", service.hasSuffix("/") ? service : service + "/",
            headers: [("Content-Type", "application/x-www-form-urlencoded")], body: .bytes(Array(form.utf8)), limit: .seconds(30))
        let bytes: [UInt8]
        let status: Int
        do {
            let response = try await connections.execute(request)
            status = response.status
            bytes = try await response.body.collect(upTo: 1 << 20)
        } catch let error as TransferError {
            throw BlobError(.unavailable, subject: service, message: "gives no credentials of \(role): \(error)")
        }
        let answer = XMLElement(document: bytes)
        let given = answer?["AssumeRoleWithWebIdentityResult"]?["Credentials"]
        guard status == 200, let given, let access = given["AccessKeyId"]?.text, let secret = given["SecretAccessKey"]?.text
        else {
            let reason = answer?["Error"]?["Message"]?.text ?? "status \(status)"
            throw BlobError(
                status >= 500 || answer?["Error"]?["Code"]?.text == "Throttling" ? .unavailable : .denied, subject: service,
                message: "gives no credentials of \(role): \(reason)")
        }
        return S3Credentials(
            accessKey: access, secretKey: secret, sessionToken: given["SessionToken"]?.text,
            expiresAt: given["Expiration"].flatMap { S3Times.date(iso8601: $0.text) })
    }
}
