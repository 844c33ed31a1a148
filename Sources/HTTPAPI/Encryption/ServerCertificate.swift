import ContentHashing
import ExportPlan
package import Logging
import NIOSSL
import ServiceLifecycle
import Synchronization

/// The certificate by which clients know the server, and its key, from two files (PEM). Where the files change, as with a
/// renewal, new connections get the new certificate; those that are open keep theirs.
package final class ServerCertificate: Service {
    /// The reason why the files cannot be used: a sentence without a full stop, which names the file.
    package struct Fault: Error, Hashable, CustomStringConvertible {
        package var description: String
    }

    private struct State {
        var context: NIOSSLContext
        /// The files that were read or tried last; nil for one that was not there.
        var files: [FileIdentity?]
    }

    private let certificate: String
    private let key: String
    private let interval: Duration
    private let logger: Logger
    private let state: Mutex<State>

    /// Reads the files.
    /// - Parameters:
    ///   - certificate: the file with the server's certificate, followed by those between it and its authority.
    ///   - key: the file with its private key.
    ///   - interval: how often `run` looks whether the files have changed.
    package init(
        certificate: String, key: String, every interval: Duration = .seconds(10), logger: Logger
    ) throws(Fault) {
        self.certificate = certificate
        self.key = key
        self.interval = interval
        self.logger = logger
        // Before they are read, so that a change meanwhile is one that comes later.
        let files = ServerCertificate.identities(certificate, key)
        state = Mutex(State(context: try ServerCertificate.read(certificate, key), files: files))
    }

    /// The certificate and the key that a new connection uses.
    var context: NIOSSLContext { state.withLock { $0.context } }

    /// Looks for changes of the files until the program ends.
    package func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            while !Task.isCancelled {
                try? await Task.sleep(for: interval)  // it ends early when the program does
                readAgain()
            }
        }
    }

    /// Reads the files if they have changed. Where they cannot be used, which may be so between the change of the one and
    /// that of the other, the old ones stay in use.
    package func readAgain() {
        let files = ServerCertificate.identities(certificate, key)
        guard files != state.withLock({ $0.files }) else { return }
        state.withLock { $0.files = files }
        do throws(Fault) {
            let context = try ServerCertificate.read(certificate, key)
            state.withLock { $0.context = context }
            logger.info("the certificate '\(certificate)' has changed: new connections use it")
        } catch {
            logger.error("the certificate has changed and cannot be used, so the old one stays in use: \(error)")
        }
    }

    private static func read(_ certificate: String, _ key: String) throws(Fault) -> NIOSSLContext {
        for path in [certificate, key] {
            // Reading a pipe would wait for ever.
            if let complaint = FileKind.complaint(about: path) { throw Fault(description: "'\(path)' \(complaint)") }
        }
        let chain: [NIOSSLCertificate]
        do {
            chain = try NIOSSLCertificate.fromPEMFile(certificate)
        } catch {
            throw Fault(description: "'\(certificate)' has no certificates that can be read (\(error))")
        }
        let privateKey: NIOSSLPrivateKey
        do {
            privateKey = try NIOSSLPrivateKey(file: key, format: .pem)
        } catch {
            throw Fault(description: "'\(key)' has no private key that can be read (\(error))")
        }
        var settings = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(privateKey))
        settings.minimumTLSVersion = .tlsv12
        settings.applicationProtocols = ["http/1.1"]
        do {
            return try NIOSSLContext(configuration: settings)
        } catch {
            throw Fault(description: "the certificate '\(certificate)' does not go with the key '\(key)' (\(error))")
        }
    }

    /// The files that the paths lead to, also by links: what renews certificates often replaces a link.
    private static func identities(_ certificate: String, _ key: String) -> [FileIdentity?] {
        [certificate, key].map { FileIdentity(ofFile: $0) }
    }
}
