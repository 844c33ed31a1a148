/// What a failure means for the job: whether a retry can help, and where.
package enum FailureClass: String, CaseIterable, Hashable, Sendable, Codable {
    /// The draft or a source is at fault; a retry does not help.
    case input
    /// A network error or a worker that is gone: a later retry may help.
    case transient
    /// The store or a disk is away, full, slow or unreadable: the job waits until it is back, however often that takes.
    case storage
    /// The process ran out of memory or exceeded a limit.
    case resource
    /// A codec or another installed component is missing on this machine.
    case environment
    /// The rendering process died.
    case crash

    /// The exit status of a command that ends with this failure, as in sysexits.h.
    package var exitStatus: Int32 {
        switch self {
        case .input: 65
        case .environment: 69
        case .crash: 70
        case .transient, .storage, .resource: 75
        }
    }
}

/// An error that knows its failure class and says in one sentence what is wrong.
package protocol ClassifiedError: Error, CustomStringConvertible {
    var failureClass: FailureClass { get }
    /// The file or other thing that the error is about; may be empty.
    var subject: String { get }
    /// The rest of the sentence that begins with the subject, for example "does not exist".
    var message: String { get }
}

/// What can go wrong in one part of the program, as a closed list.
package protocol FailureCode: Hashable, Sendable {
    var failureClass: FailureClass { get }
}

/// An error with its code, its subject and a message for a person.
package struct CodedError<Code: FailureCode>: ClassifiedError, Equatable {
    package var code: Code
    package var subject: String
    package var message: String

    package init(_ code: Code, subject: String, message: String) {
        self.code = code
        self.subject = subject
        self.message = message
    }

    package var failureClass: FailureClass { code.failureClass }
    package var description: String { "'\(subject)' \(message)" }
}
