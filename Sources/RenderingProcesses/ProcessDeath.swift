package import ExportPlan
import Subprocess
import Glibc

/// How a rendering process died during its job, or why it could not be started.
package struct ProcessDeath: Sendable, Hashable, CustomStringConvertible {
    package var description: String
    /// `crash`, unless it is known that the machine lacked a resource or the program.
    package var failureClass: FailureClass

    init(_ description: String, _ failureClass: FailureClass = .crash) {
        self.description = description
        self.failureClass = failureClass
    }

    /// The system ended it for its memory, or because the control groups around it had none left.
    static let exceededMemory = ProcessDeath("it exceeded its memory, or the worker's control group had none left", .resource)

    /// - Parameter status: how the process ended.
    init(_ status: TerminationStatus) {
        switch status {
        case .signaled(SIGXCPU): self.init("it used up the processor time of one job", .resource)
        case .signaled(let signal): self.init("it ended by signal \(signal) (\(String(cString: strsignal(signal))))")
        case .exited(let code): self.init("it ended with exit code \(code)")
        }
    }

    /// - Parameter error: why the process could not be started: the program is missing, which may be different on
    ///   another machine, or the system has no room for another process.
    init(_ error: SubprocessError) {
        self.init("\(error)", error.code == .executableNotFound ? .environment : .transient)
    }
}
