import FoundationEssentials

/// An authority and certificates that it has signed, made by OpenSSL's program in a directory of their own.
package final class TestCertificates: Sendable {
    private let directory: TemporaryDirectory

    /// The file with the authority's own certificate.
    package var authority: String { directory.file("authority.crt") }

    package init() async throws {
        directory = try TemporaryDirectory()
        try await run(
            """
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj '/CN=authority of a test' \
              -keyout authority.key -out authority.crt
            """)
    }

    /// The files of a certificate and its key.
    package struct Files: Sendable {
        package var certificate: String
        package var key: String
    }

    /// Makes a certificate, over the one that had this name before.
    /// - Parameter subject: whom it is for, such as `IP:127.0.0.1` or `DNS:farm.example`.
    package func make(_ name: String, for subject: String) async throws -> Files {
        try await run(
            """
            openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj '/CN=\(name)' -keyout new.key -out new.csr
            printf 'subjectAltName=%s' '\(subject)' > new.ext
            openssl x509 -req -in new.csr -CA authority.crt -CAkey authority.key -CAcreateserial -days 2 -extfile new.ext \
              -out new.crt
            mv new.key '\(name).key'
            mv new.crt '\(name).crt'
            """)
        return Files(certificate: directory.file("\(name).crt"), key: directory.file("\(name).key"))
    }

    private func run(_ script: String) async throws {
        let outcome = try await ShellTool.run("set -e; cd '\(directory.path)'; { \(script)\n} 2> log || { cat log >&2; exit 1; }")
        guard outcome.status == 0 else { throw RedisServer.Failure(description: outcome.errors) }
    }
}
