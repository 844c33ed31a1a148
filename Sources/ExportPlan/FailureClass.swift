/// What a failure means for the work: whether trying again can help, and where.
public enum FailureClass: String, Hashable, Sendable, Codable {
    /// The draft or a source is at fault; trying again changes nothing.
    case input
    /// Storage, network, a full disk, a lost worker: trying again later may help.
    case transient
    /// Out of memory or over a limit.
    case resource
    /// A codec or another installed thing is missing on this machine.
    case environment
    /// The rendering process died.
    case crash

    /// Exit code of a command that ends with it, as sysexits.h has them.
    public var exitStatus: Int32 {
        switch self {
        case .input: 65
        case .environment: 69
        case .crash: 70
        case .transient, .resource: 75
        }
    }
}

/// An error that knows its class and has one sentence for a person.
public protocol ClassifiedError: Error, CustomStringConvertible {
    var failureClass: FailureClass { get }
}
