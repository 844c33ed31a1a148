package import ArtifactStore
import ExportPlan
package import FoundationEssentials

/// What a request to an S3 service is signed with.
package struct S3Credentials: Hashable, Sendable {
    package var accessKey: String
    package var secretKey: String
    /// The token that temporary credentials come with.
    package var sessionToken: String?
    /// When they cease to be valid; nil where that is not known.
    package var expiresAt: Date?

    package init(accessKey: String, secretKey: String, sessionToken: String? = nil, expiresAt: Date? = nil) {
        self.accessKey = accessKey
        self.secretKey = secretKey
        self.sessionToken = sessionToken
        self.expiresAt = expiresAt
    }
}

/// Where credentials come from. They are read again when they expire or are refused, so keys can be replaced while the
/// program runs.
package enum S3CredentialSource: Hashable, Sendable {
    case fixed(S3Credentials)
    /// A section of a file as Amazon's tools write it: `aws_access_key_id`, `aws_secret_access_key` and
    /// `aws_session_token` after `[profile]`.
    case file(path: String, profile: String)
    /// A file with a token of a web identity (OpenID Connect), which the security token service turns into temporary
    /// credentials of a role, as Kubernetes clusters provide it.
    case webIdentity(WebIdentity)

    /// A role and the file with the token for it.
    package struct WebIdentity: Hashable, Sendable {
        package var tokenFile: String
        package var role: String
        package var sessionName: String
        /// The address of the security token service.
        package var service: String

        package init(tokenFile: String, role: String, sessionName: String, service: String) {
            self.tokenFile = tokenFile
            self.role = role
            self.sessionName = sessionName
            self.service = service
        }
    }

    /// The first source that the environment names, in the order of Amazon's tools: keys, a role's token file, a
    /// credentials file.
    /// - Parameter environment: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`;
    ///   `AWS_WEB_IDENTITY_TOKEN_FILE`, `AWS_ROLE_ARN`, `AWS_ROLE_SESSION_NAME`, `AWS_ENDPOINT_URL_STS`;
    ///   `AWS_SHARED_CREDENTIALS_FILE` or else `~/.aws/credentials`, and `AWS_PROFILE`.
    /// - Throws: `BlobError` `invalidSettings` where one of two variables is there that belong together.
    package init(environment: [String: String], region: String) throws(BlobError) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        func pair(_ one: String, _ other: String) throws(BlobError) -> (String, String)? {
            switch (value(one), value(other)) {
            case (let first?, let second?): return (first, second)
            case (nil, nil): return nil
            case (.some, nil): throw BlobError(.invalidSettings, subject: one, message: "is set, and \(other) is not")
            case (nil, .some): throw BlobError(.invalidSettings, subject: other, message: "is set, and \(one) is not")
            }
        }
        if let (access, secret) = try pair("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY") {
            self = .fixed(S3Credentials(accessKey: access, secretKey: secret, sessionToken: value("AWS_SESSION_TOKEN")))
        } else if let (file, role) = try pair("AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_ROLE_ARN") {
            self = .webIdentity(
                WebIdentity(
                    tokenFile: file, role: role, sessionName: value("AWS_ROLE_SESSION_NAME") ?? "spool",
                    service: value("AWS_ENDPOINT_URL_STS") ?? "https://sts.\(region).amazonaws.com"))
        } else {
            self = .file(
                path: value("AWS_SHARED_CREDENTIALS_FILE") ?? (value("HOME") ?? "") + "/.aws/credentials",
                profile: value("AWS_PROFILE") ?? "default")
        }
    }
}

extension S3Credentials {
    /// Reads a section of a credentials file.
    /// - Throws: `BlobError` `denied`, which names the file and what it lacks.
    package static func inFile(_ path: String, profile: String) throws(BlobError) -> S3Credentials {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw BlobError(
                .denied, subject: path,
                message: "cannot be read, and the environment has no credentials for the S3 service; set AWS_ACCESS_KEY_ID and "
                    + "AWS_SECRET_ACCESS_KEY, or AWS_SHARED_CREDENTIALS_FILE")
        }
        var values: [String: String] = [:]
        var isWanted = false
        for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
            let text = line.trimmingSpaces
            if text.hasPrefix("[") {
                isWanted = text.dropFirst().prefix { $0 != "]" }.trimmingSpaces == profile
            } else if isWanted, let mark = text.firstIndex(of: "="), !text.hasPrefix("#"), !text.hasPrefix(";") {
                values[text[..<mark].trimmingSpaces.lowercased()] = text[text.index(after: mark)...].trimmingSpaces
            }
        }
        guard let access = values["aws_access_key_id"], let secret = values["aws_secret_access_key"] else {
            throw BlobError(
                .denied, subject: path,
                message:
                    "has no aws_access_key_id and aws_secret_access_key after [\(profile)]; AWS_PROFILE names another section")
        }
        return S3Credentials(accessKey: access, secretKey: secret, sessionToken: values["aws_session_token"])
    }
}

extension StringProtocol {
    fileprivate var trimmingSpaces: String {
        String(drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}
