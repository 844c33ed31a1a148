package import DraftModel
package import FarmAPI

/// Why a request to the farm failed.
package struct ClientFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Reason: Hashable, Sendable {
        /// Nothing answers at the server's address.
        case unreachable
        /// The request took too long, or the connection broke.
        case interrupted
        /// The server refused the request with this code.
        case refused(FaultCode)
        /// A proxy on the way answered with a status that asks to retry later.
        case busy
        /// The answer does not come from a farm, or from one of another version.
        case notUnderstood
        /// A file on this machine cannot be read or written, or a file of the farm arrived damaged.
        case file
        /// Something that requests need is not installed on this machine.
        case environment
        /// The draft has errors; they were found on this machine.
        case draft
    }

    package var reason: Reason
    /// One sentence for a person.
    package var message: String
    /// Every error of the draft, when the draft is the cause.
    package var diagnostics: [DraftDiagnostic]
    /// How long the server asks to wait before the next attempt; nil where it says nothing.
    package var retryAfter: Duration?

    package init(_ reason: Reason, _ message: String, diagnostics: [DraftDiagnostic] = []) {
        self.reason = reason
        self.message = message
        self.diagnostics = diagnostics
    }

    package var description: String { message }
}
