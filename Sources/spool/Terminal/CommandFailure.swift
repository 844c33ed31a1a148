import DraftModel
import ExportPlan
import FarmClient
import ArtifactStore

/// Exit codes from sysexits.h.
enum ExitStatus {
    static let usage: Int32 = 64
    static let badInput: Int32 = 65
    static let unavailable: Int32 = 69
    static let internalError: Int32 = 70
    static let cannotCreate: Int32 = 73
    static let temporaryFailure: Int32 = 75
}

/// The failure of a command: its lines for standard error and its exit code.
struct CommandFailure: Error {
    var lines: [String]
    var status: Int32
    /// The diagnostics one by one, when a draft or settings are the cause.
    var diagnostics: [DraftDiagnostic]?

    /// The failure for a faulty draft or faulty settings, with one line per diagnostic.
    init(_ error: DraftError) {
        lines = error.diagnostics.map(\.line)
        status = ExitStatus.badInput
        diagnostics = error.diagnostics
    }

    /// The failure for an error while rendering.
    /// - Parameter places: the places of the draft that use the file which failed.
    init(_ error: any ClassifiedError, places: [String] = []) {
        lines = ["error: " + (places.isEmpty ? "" : places.joined(separator: ", ") + ": ") + error.description]
        status = error.failureClass.exitStatus
    }

    init(_ message: String, status: Int32) {
        lines = ["error: \(message)"]
        self.status = status
    }

    /// The failure for a program that has already said what is wrong.
    init(lines: [String], status: Int32) {
        self.lines = lines
        self.status = status
    }

    /// The failure for a program that a signal ended, with the exit code that shells use for it.
    init(signal: Int32) {
        lines = ["stopped"]
        status = 128 + signal
    }

    /// The failure for any error that a command may end with, except those of the command line's parser.
    init?(any error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let failure as ClientFailure: self.init(failure)
        case let fault as OutputCheck.Fault: self.init(fault)
        // For example a store that cannot be read, which any command may meet.
        case let failure as any ClassifiedError: self.init(failure)
        default: return nil
        }
    }

    /// Prints its lines.
    /// - Returns: the exit code.
    func tell() -> Int32 {
        for line in lines { Terminal.error(line) }
        return status
    }
}
