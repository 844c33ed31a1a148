import CProcessIsolation
import Glibc

/// A program that is the only child of this process and that ends with it, even when this process is killed.
///
/// Two things end it, so that each covers what the other cannot see. The pipe at standard input closes when the process
/// at its other end is gone, however it ended; this process then sends the stop signal. And should this process be
/// killed, the kernel sends the signal (PR_SET_PDEATHSIG). That alone would not do, because the kernel watches the
/// thread that started the child, and in a program with many threads that thread may end at any time.
package struct GuardedChild {
    /// The program's absolute path, and its arguments.
    package var words: [String]
    /// The number of the signal that ends the program cleanly.
    package var stopSignal: Int32
    /// The file that receives the program's standard output and standard error. It is opened as the program's user.
    package var logFile: String
    /// The user and the group that the program runs as; nil for the calling user. Only root can name another one.
    package var identity: (user: UInt32, group: UInt32)?

    package init(_ words: [String], stopSignal: Int32, logFile: String, identity: (user: UInt32, group: UInt32)? = nil) {
        self.words = words
        self.stopSignal = stopSignal
        self.logFile = logFile
        self.identity = identity
    }

    /// Runs the program until it ends. Standard input has to be a pipe that nobody writes to; when it is closed, the
    /// program gets its stop signal.
    /// - Returns: the program's exit code; 128 and the signal's number when one ended it, 126 or 127 when it could not
    ///   be started, 73 when the log could not be opened.
    /// - Throws: `Isolation.Refusal` when the system has no room for another process.
    package func run() throws -> Int32 {
        var copies: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        copies.append(nil)
        let numbers = identity.map { [$0.user, $0.group] }
        let status = spool_run_guarded(copies, stopSignal, logFile, numbers)
        guard status >= 0 else {
            throw Isolation.Refusal(
                description: "cannot start a process: \(String(cString: strerror(-status))); raise the limit on processes")
        }
        return status
    }
}
