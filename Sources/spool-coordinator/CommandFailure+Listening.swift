import CommandLineInterface
import NIOCore
import Glibc

extension CommandFailure {
    /// The failure when a server cannot listen on the given host and port.
    /// - Parameters:
    ///   - hostOption: how another host is chosen.
    ///   - portOption: how another port is chosen.
    init(listeningOn host: String, _ port: Int, _ error: IOError, hostOption: String, portOption: String) {
        let message =
            switch error.errnoCode {
            case EADDRINUSE:
                "port \(port) of '\(host)' is taken by another program; stop that, or choose another port with \(portOption)"
            case EADDRNOTAVAIL:
                "'\(host)' is not an address of this machine; choose another one with \(hostOption)"
            case EACCES:
                "this user may not listen on port \(port) of '\(host)'; choose one above 1023 with \(portOption)"
            case let code:
                "cannot listen on port \(port) of '\(host)': \(String(cString: strerror(code))); choose another address or port"
            }
        self.init(message, status: ExitStatus.unavailable)
    }
}
