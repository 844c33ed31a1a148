import CommandLineInterface
import FoundationEssentials
import Glibc

/// The files of the programs: `spool`, and those that are installed beside it.
enum ProgramFiles {
    /// The path of this program.
    /// - Throws: `CommandFailure` where there is no /proc.
    static func own() throws -> String {
        do {
            return try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        } catch {
            throw CommandFailure("spool cannot find its own program file in /proc; mount /proc", status: ExitStatus.internalError)
        }
    }

    /// The path of the program `spool-coordinator`.
    /// - Throws: `CommandFailure` that says how to get it when it is missing.
    static func coordinator() throws -> String {
        try beside("spool-coordinator", isMissing: "the coordinator's program; install it beside spool")
    }

    /// The path of another program in the directory of this one.
    /// - Parameter isMissing: what the program is and how to get it, for the message.
    /// - Throws: `CommandFailure`, exit code 69, when there is no such program.
    static func beside(_ name: String, isMissing: String) throws -> String {
        let path = URL(fileURLWithPath: try own()).deletingLastPathComponent().path + "/\(name)"
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw CommandFailure("'\(path)' is missing, \(isMissing)", status: ExitStatus.unavailable)
        }
        return path
    }

    /// Becomes another program: the process keeps its id, its environment, its open streams, and the signals that it
    /// ignores or blocks. It has to be called on the first thread, which is where a program is before its first `await`:
    /// only from there the process also keeps the signal that the kernel sends it when its parent is killed
    /// (PR_SET_PDEATHSIG), with which `spool guard` starts its program.
    /// - Parameters:
    ///   - program: the path of the program.
    ///   - words: its arguments.
    /// - Throws: `CommandFailure`, exit code 69, when the system refuses to start it.
    static func become(_ program: String, _ words: some Sequence<String>) throws -> Never {
        var copies: [UnsafeMutablePointer<CChar>?] = ([program] + words).map { strdup($0) }
        defer { copies.forEach { free($0) } }
        copies.append(nil)
        execv(program, copies)
        throw CommandFailure(
            "'\(program)' cannot be started: \(String(cString: strerror(errno))); install it again",
            status: ExitStatus.unavailable)
    }
}
