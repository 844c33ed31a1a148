import ArgumentParser
package import CommandLineInterface
import DraftModel
import FarmAPI
import FarmClient
import FoundationEssentials

/// Options for the farm's address and the token.
struct ServerOptions: ParsableArguments {
    @Option(help: "The farm's address. Default: $SPOOL_SERVER.")
    var server: String?

    @Option(help: "The token. Default: $SPOOL_TOKEN.")
    var token: String?

    /// The address of the farm; nil where none is named.
    private var address: String? {
        let address = server ?? ProcessInfo.processInfo.environment["SPOOL_SERVER"] ?? ""
        return address.isEmpty ? nil : address
    }

    /// For commands that can do without a farm.
    /// - Returns: nil where no farm is named.
    /// - Throws: `CommandFailure`, a usage error, when a farm is named without a token.
    func clientOfNamedFarm() throws -> FarmClient? { address == nil ? nil : try client() }

    /// - Throws: `CommandFailure`, a usage error, when the address or the token is missing.
    func client() throws -> FarmClient {
        let environment = ProcessInfo.processInfo.environment
        guard let server = address else {
            throw CommandFailure(
                "no farm is named; set SPOOL_SERVER, or give --server http://HOST:PORT", status: ExitStatus.usage)
        }
        guard let token = token ?? environment["SPOOL_TOKEN"], !token.isEmpty else {
            throw CommandFailure("a token is needed: set SPOOL_TOKEN, or give --token", status: ExitStatus.usage)
        }
        return try FarmClient(server: server, token: token)
    }
}

extension Terminal {
    /// Prints the farm's records as indented JSON with sorted keys and with dates in the API's format.
    static func printFarmJSON(_ value: some Encodable) throws {
        print(json: try FarmJSON.encode(value, indented: true))
    }
}

extension CommandFailure {
    /// The failure for a request that the farm refused or that did not reach it.
    /// - Parameter subject: the file that the request is about.
    init(_ failure: ClientFailure, subject: String? = nil) {
        let prefix = subject.map { "\($0): " } ?? ""
        self.init(prefix + failure.message, status: failure.exitStatus)
        for fault in failure.diagnostics {
            lines.append("error: \(prefix)\(fault.placedMessage)")
        }
        if !failure.diagnostics.isEmpty { lines.removeFirst() }
    }
}

extension ClientFailure: CommandFailureConvertible {
    package var commandFailure: CommandFailure { CommandFailure(self) }

    var exitStatus: Int32 {
        switch reason {
        case .unreachable, .refused(.unavailable), .environment: ExitStatus.unavailable
        case .interrupted, .busy, .refused(.tooManyRequests), .refused(.requestTimeout): ExitStatus.temporaryFailure
        case .refused(.internalError), .notUnderstood: ExitStatus.internalError
        case .refused, .file, .draft: ExitStatus.badInput
        }
    }
}
