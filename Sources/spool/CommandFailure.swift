import DraftModel
import ExportPlan

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Exit codes as sysexits.h has them.
enum ExitStatus {
    static let usage: Int32 = 64
    static let badInput: Int32 = 65
    static let unavailable: Int32 = 69
    static let internalError: Int32 = 70
    static let cannotCreate: Int32 = 73
    static let tryAgain: Int32 = 75
}

/// How a command ends when it does not succeed: what goes to standard error, and the exit code.
struct CommandFailure: Error {
    var lines: [String]
    var status: Int32
    /// The faults one by one, where a draft or settings are to blame.
    var diagnostics: [DraftDiagnostic]?

    /// A faulty draft or faulty settings: every diagnostic on a line of its own.
    init(_ error: DraftError) {
        lines = error.diagnostics.map(\.line)
        status = ExitStatus.badInput
        diagnostics = error.diagnostics
    }

    /// A failure while rendering.
    /// - Parameter places: where the draft uses the file that failed.
    init(_ error: any ClassifiedError, places: [String] = []) {
        lines = ["error: " + (places.isEmpty ? "" : places.joined(separator: ", ") + ": ") + error.description]
        status = error.failureClass.exitStatus
    }

    init(_ message: String, status: Int32) {
        lines = ["error: \(message)"]
        self.status = status
    }

    /// What another program has said already.
    init(lines: [String], status: Int32) {
        self.lines = lines
        self.status = status
    }

    /// Ended by a signal, as a shell expects to be told.
    init(signal: Int32) {
        lines = ["stopped"]
        status = 128 + signal
    }

    func printAndExit() -> Never {
        for line in lines { Terminal.error(line) }
        exit(status)
    }
}
