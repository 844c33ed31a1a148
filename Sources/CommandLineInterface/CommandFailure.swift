package import Coordinator
package import DraftModel
package import ExportPlan

/// Exit codes from sysexits.h.
package enum ExitStatus {
    /// The command line is wrong.
    package static let usage: Int32 = 64
    /// The draft, a source or another input is at fault.
    package static let badInput: Int32 = 65
    /// Something that is needed is not installed, or does not answer.
    package static let unavailable: Int32 = 69
    /// A fault of the program itself.
    package static let internalError: Int32 = 70
    /// An output cannot be written at its place.
    package static let cannotCreate: Int32 = 73
    /// A retry may help.
    package static let temporaryFailure: Int32 = 75
}

/// The failure of a command: its lines for standard error and its exit code.
package struct CommandFailure: Error {
    /// The lines for standard error.
    package var lines: [String]
    /// The exit code.
    package var status: Int32
    /// The diagnostics one by one, when a draft or settings are the cause.
    package var diagnostics: [DraftDiagnostic]?

    /// The failure for a faulty draft or faulty settings, with one line per diagnostic.
    package init(_ error: DraftError) {
        lines = error.diagnostics.map(\.line)
        status = ExitStatus.badInput
        diagnostics = error.diagnostics
    }

    /// The failure for an error while rendering.
    /// - Parameter places: the places of the draft that use the file which failed.
    package init(_ error: any ClassifiedError, places: [String] = []) {
        lines = ["error: " + (places.isEmpty ? "" : places.joined(separator: ", ") + ": ") + error.description]
        status = error.failureClass.exitStatus
    }

    /// The failure for an error in one of the farm's own processes.
    package init(_ error: FarmError) {
        let status =
            switch error.code {
            case .unavailable, .lostLead: ExitStatus.unavailable
            case .internalError: ExitStatus.internalError
            case .quota: ExitStatus.temporaryFailure
            case .notFound, .conflict, .invalid, .forbidden: ExitStatus.badInput
            }
        self.init(error.message, status: status)
    }

    /// The failure with one line, the message behind `error: `.
    package init(_ message: String, status: Int32) {
        lines = ["error: \(message)"]
        self.status = status
    }

    /// The failure for a program that has already said what is wrong.
    package init(lines: [String], status: Int32) {
        self.lines = lines
        self.status = status
    }

    /// The failure for a program that a signal ended, with the exit code that shells use for it.
    package init(signal: Int32) {
        lines = ["stopped"]
        status = 128 + signal
    }

    /// The failure for any error that a command may end with, except those of the command line's parser.
    package init?(any error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as any CommandFailureConvertible: self = error.commandFailure
        // For example a store that cannot be read, which any command may meet.
        case let failure as any ClassifiedError: self.init(failure)
        default: return nil
        }
    }

    /// Its lines as one text, for a message that says more.
    package var message: String {
        lines.map { $0.hasPrefix("error: ") ? String($0.dropFirst("error: ".count)) : $0 }.joined(separator: "; ")
    }

    /// Prints its lines.
    /// - Returns: the exit code.
    package func tell() -> Int32 {
        for line in lines { Terminal.error(line) }
        return status
    }
}

/// An error that only some programs know, and with which any of their commands may end.
package protocol CommandFailureConvertible: Error {
    /// The text that the command prints, and its exit code.
    var commandFailure: CommandFailure { get }
}
