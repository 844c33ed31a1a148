/// What a failure means for the work: whether trying again can help, and where.
public enum FailureClass: String, Hashable, Sendable, Codable {
    /// The draft or a source is at fault; trying again changes nothing.
    case input
    /// A network error, a lost worker: trying again later may help.
    case transient
    /// The store or a disk is away, full, slow or cannot be read: the work waits until it is back, however often that takes.
    case storage
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
        case .transient, .storage, .resource: 75
        }
    }
}

/// An error that knows its class and has one sentence for a person.
public protocol ClassifiedError: Error, CustomStringConvertible {
    var failureClass: FailureClass { get }
    /// The file, or whatever else it is about; may be empty.
    var subject: String { get }
    /// Goes on where the subject ends: "does not exist".
    var message: String { get }
}

/// What can go wrong in one part of the program: a closed list.
public protocol FailureCode: Hashable, Sendable {
    var failureClass: FailureClass { get }
}

/// What went wrong, with what, in words.
public struct CodedError<Code: FailureCode>: ClassifiedError, Equatable {
    public var code: Code
    public var subject: String
    public var message: String

    public init(_ code: Code, subject: String, message: String) {
        self.code = code
        self.subject = subject
        self.message = message
    }

    public var failureClass: FailureClass { code.failureClass }
    public var description: String { "'\(subject)' \(message)" }
}
