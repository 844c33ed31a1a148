import HTTPAPI
import InMemoryLogging
import Logging
import TestServer
import TestSupport
import Testing
import FoundationEssentials
import Glibc

/// The API with TLS, by clients that are not ours: curl and OpenSSL's `s_client`.
@Suite("A server with a certificate", .timeLimit(.minutes(5)))
struct SecureServerTests {
    private let certificates: TestCertificates

    init() async throws { certificates = try await TestCertificates() }

    private func serve(
        _ files: TestCertificates.Files, _ options: FarmService.Options = Farm.quickOptions,
        log: InMemoryLogHandler = InMemoryLogHandler(),
        _ body: @Sendable (ServerCertificate, Int) async throws -> Void
    ) async throws {
        let farm = try await Farm(options: options)
        let certificate = try ServerCertificate(
            certificate: files.certificate, key: files.key, logger: Logger(label: "test") { _ in log })
        try await serving(farm.service.router(), farm.service.server(certificate)) { try await body(certificate, $0) }
    }

    /// The text that `s_client` prints after a handshake.
    private func handshake(_ port: Int, _ options: String = "") async throws -> String {
        let command =
            "openssl s_client -connect 127.0.0.1:\(port) -CAfile '\(certificates.authority)' \(options) < /dev/null 2>&1"
        return try await ShellTool.run(command).output
    }

    @Test("Requests work by TLS, several over one connection, and bodies go both ways")
    func requests() async throws {
        let media = try TemporaryDirectory()
        let file = media.file("clip.bin")
        try Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }).write(to: URL(fileURLWithPath: file))
        try await serve(try await certificates.make("farm", for: "IP:127.0.0.1")) { _, port in
            let outcome = try await ShellTool.run(
                """
                hash=$(sha256sum '\(file)' | cut -d ' ' -f 1)
                farm=https://127.0.0.1:\(port)/v1
                curl -s --cacert '\(certificates.authority)' -H 'Authorization: Bearer b-1' \
                  -w '%{http_code} %{num_connects}\\n' -o '\(media.path)/1' -T '\(file)' "$farm/assets/$hash" \
                  --next -s --cacert '\(certificates.authority)' -H 'Authorization: Bearer b-1' \
                  -w '%{http_code} %{num_connects}\\n' -o '\(media.path)/2' "$farm/assets/$hash"
                cmp '\(file)' '\(media.path)/2' && echo same
                """)
            #expect(outcome.output == "201 1\n200 0\nsame\n", "\(outcome.errors)")
            let verified = try await handshake(port)
            #expect(verified.contains("Verification: OK") && verified.contains("TLSv1.3"))
            #expect(try await handshake(port, "-tls1_2").contains("Verification: OK"))
            #expect(
                try await handshake(port, "-tls1_1 -cipher ALL:@SECLEVEL=0").contains("Cipher is (NONE)"), "it is too old")
        }
    }

    @Test("A client that does not speak TLS is told to use https, and one that does not trust it does not connect")
    func others() async throws {
        try await serve(try await certificates.make("farm", for: "IP:127.0.0.1")) { _, port in
            let plain = try await ShellTool.run("curl -s -w ' %{http_code}' http://127.0.0.1:\(port)/healthz")
            #expect(plain.output.contains("use an address that begins with https://") && plain.output.hasSuffix(" 400"))
            let distrust = try await ShellTool.run("curl -s https://127.0.0.1:\(port)/healthz")
            #expect(distrust.status == 60, "the status of curl for a certificate that it does not trust")
            // The server goes on after connections that are no TLS, that end within the handshake, and that send nothing.
            let rest = try await ShellTool.run(
                """
                printf '\\026\\003\\001\\377\\377nonsense' > /dev/tcp/127.0.0.1/\(port)
                head -c 100000 /dev/urandom > /dev/tcp/127.0.0.1/\(port)
                : > /dev/tcp/127.0.0.1/\(port)
                curl -s --cacert '\(certificates.authority)' -w '%{http_code}' -o /dev/null https://127.0.0.1:\(port)/healthz
                """)
            #expect(rest.output == "200", "\(rest.errors)")
        }
    }

    @Test("A connection whose handshake does not begin, or does not end, is closed after the time of a head")
    func unfinishedHandshakes() async throws {
        var options = Farm.quickOptions
        options.requests.headTime = .milliseconds(200)
        options.requests.lingerTime = .milliseconds(200)
        try await serve(try await certificates.make("farm", for: "IP:127.0.0.1"), options) { _, port in
            for begun in ["", "\\026\\003\\001\\000\\377"] {
                let outcome = try await ShellTool.run(
                    "exec 3<>/dev/tcp/127.0.0.1/\(port); printf '\(begun)' >&3; timeout 100 cat <&3 | wc -c; exit ${PIPESTATUS[0]}"
                )
                #expect(outcome.status == 0, "cat ends when the server closes the connection")
            }
        }
    }

    @Test("A certificate that is renewed is used by the next connection, and one that cannot be read is not")
    func renewal() async throws {
        let files = try await certificates.make("farm", for: "IP:127.0.0.1")
        let log = InMemoryLogHandler()
        try await serve(files, log: log) { certificate, port in
            let first = try await handshake(port).certificate
            _ = try await certificates.make("farm", for: "IP:127.0.0.1,DNS:new.example")
            certificate.readAgain()
            let second = try await handshake(port).certificate
            #expect(!first.isEmpty && !second.isEmpty && first != second)
            try Data("no certificate".utf8).write(to: URL(fileURLWithPath: files.certificate))
            certificate.readAgain()
            #expect(try await handshake(port).certificate == second)
            #expect(
                log.entries.last?.message.description.hasPrefix(
                    "the certificate has changed and cannot be used, so the old one stays in use: '\(files.certificate)' has no ")
                    == true)
        }
    }

    @Test("A certificate behind a link is renewed when the link leads elsewhere, as in a volume of Kubernetes")
    func link() async throws {
        let folder = try TemporaryDirectory()
        for name in ["first", "second"] {
            let made = try await certificates.make(name, for: "IP:127.0.0.1")
            try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: false)
            try FileManager.default.copyItem(atPath: made.certificate, toPath: folder.file(name) + "/tls.crt")
            try FileManager.default.copyItem(atPath: made.key, toPath: folder.file(name) + "/tls.key")
        }
        let now = folder.file("now")
        try FileManager.default.createSymbolicLink(atPath: now, withDestinationPath: "first")
        for file in ["tls.crt", "tls.key"] {
            try FileManager.default.createSymbolicLink(atPath: folder.file(file), withDestinationPath: "now/" + file)
        }
        var files = try await certificates.make("linked", for: "IP:127.0.0.1")
        (files.certificate, files.key) = (folder.file("tls.crt"), folder.file("tls.key"))
        try await serve(files) { certificate, port in
            let first = try await handshake(port).certificate
            try FileManager.default.removeItem(atPath: now)
            try FileManager.default.createSymbolicLink(atPath: now, withDestinationPath: "second")
            certificate.readAgain()
            #expect(try await handshake(port).certificate != first)
        }
    }

    @Test("Files that cannot be used are named")
    func faults() async throws {
        let (mine, other) = (
            try await certificates.make("farm", for: "IP:127.0.0.1"), try await certificates.make("other", for: "IP:127.0.0.1")
        )
        let folder = try TemporaryDirectory()
        let pipe = folder.file("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        for (certificate, key, named) in [
            ("/nowhere.crt", mine.key, "'/nowhere.crt'"), (pipe, mine.key, "FIFO"),
            (mine.certificate, "/nowhere.key", "'/nowhere.key'"),
            (mine.certificate, other.key, "does not go with the key"),
            (mine.key, mine.key, "'\(mine.key)' has no certificates that can be read ("),
            (mine.certificate, mine.certificate, "'\(mine.certificate)' has no private key that can be read ("),
        ] {
            let fault = #expect(throws: ServerCertificate.Fault.self) {
                try ServerCertificate(certificate: certificate, key: key, logger: Logger(label: "test"))
            }
            #expect(fault?.description.contains(named) == true, "\(String(describing: fault))")
        }
    }
}

extension String {
    /// The server's certificate in what `s_client` prints, as the text of its PEM form.
    fileprivate var certificate: String {
        guard let begin = firstRange(of: "-----BEGIN CERTIFICATE-----"), let end = firstRange(of: "-----END CERTIFICATE-----")
        else {
            return ""
        }
        return String(self[begin.upperBound..<end.lowerBound])
    }
}
