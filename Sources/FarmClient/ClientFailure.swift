public import DraftModel
public import FarmAPI

/// Why a request to the farm did not succeed.
public struct ClientFailure: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Reason: Hashable, Sendable {
        /// Nobody answers at the server's address.
        case unreachable
        /// It took too long, or the connection broke in the middle.
        case interrupted
        /// The server refused; its own code.
        case refused(FaultCode)
        /// A status that says to come back later, from something on the way.
        case busy
        /// What answers there is no farm, or one of another version.
        case notUnderstood
        /// A file on this machine cannot be read or written, or one of the farm comes damaged.
        case file
        /// The draft is faulty; found on this machine.
        case draft
    }

    public var reason: Reason
    /// One sentence for a person.
    public var message: String
    /// Every fault of the draft, where that is to blame.
    public var diagnostics: [DraftDiagnostic]
    /// How long the server asks to wait before the next try; nil where it says nothing.
    public var retryAfter: Duration?

    public init(_ reason: Reason, _ message: String, diagnostics: [DraftDiagnostic] = []) {
        self.reason = reason
        self.message = message
        self.diagnostics = diagnostics
    }

    public var description: String { message }
}
