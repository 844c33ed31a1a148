import CommandLineInterface
import Glibc

/// Asks before something is done that cannot be taken back.
enum Confirmation {
    /// Returns when a person at the terminal has agreed, or the option `--yes` is given.
    /// - Parameters:
    ///   - asked: what is done, as a request that is answered with yes or no.
    ///   - isGiven: whether `--yes` is given.
    /// - Throws: `CommandFailure`: a usage error where nobody can be asked, and exit code 75 where the answer is no.
    static func require(_ asked: String, isGiven: Bool) throws {
        guard !isGiven else { return }
        guard isatty(STDIN_FILENO) == 1, Terminal.isInteractive else {
            throw CommandFailure(
                "nobody can be asked here, because this is no terminal; give --yes, or look first with --dry-run",
                status: ExitStatus.usage)
        }
        Terminal.error("\(asked) [y/N]")
        let answer = readLine()?.lowercased()
        guard answer == "y" || answer == "yes" else {
            throw CommandFailure("nothing was changed", status: ExitStatus.temporaryFailure)
        }
    }
}
