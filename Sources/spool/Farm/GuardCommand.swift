import ArgumentParser
import CommandLineInterface
import ProcessIsolation
import Glibc

/// `spool guard`: runs a program that ends when standard input is closed. `spool up` starts its servers with it
/// (`GuardedProcess`), so that they end also when `spool up` is killed. It is not listed for people.
struct GuardCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "guard", abstract: "Run a program that ends when standard input is closed.", shouldDisplay: false)

    /// The signals that end programs cleanly.
    enum StopSignal: String, CaseIterable, ExpressibleByArgument {
        case terminate = "TERM"
        case interrupt = "INT"

        var number: Int32 { self == .terminate ? SIGTERM : SIGINT }
    }

    @Option(help: "The signal that ends the program.")
    var stopSignal = StopSignal.terminate

    @Option(help: "The file that receives its standard output and standard error.")
    var log: String

    @Option(help: "USER:GROUP by number: whom it runs as, where root starts it.")
    var user: String?

    @Argument(parsing: .postTerminator, help: "The program's absolute path, and its arguments.")
    var words: [String]

    func validate() throws {
        guard words.first?.hasPrefix("/") == true else { throw ValidationError("name a program by its absolute path, after --") }
        _ = try identity()
    }

    func run() throws {
        // Rendering processes that run as this user must not read the environment: it is the guarded program's, too, and
        // may hold passwords.
        Isolation.hide()
        let child = GuardedChild(words, stopSignal: stopSignal.number, logFile: log, identity: try identity())
        let status: Int32
        do {
            status = try child.run()
        } catch let refusal as Isolation.Refusal {
            throw CommandFailure(refusal.description, status: ExitStatus.temporaryFailure)
        }
        // The program's exit code is this program's, whatever it means there.
        systemExit(status)
    }

    private func identity() throws -> (user: UInt32, group: UInt32)? {
        guard let user else { return nil }
        let numbers = user.split(separator: ":", omittingEmptySubsequences: false).compactMap { UInt32($0) }
        guard numbers.count == 2 else { throw ValidationError("--user takes two numbers, such as 65534:65534, not '\(user)'") }
        return (numbers[0], numbers[1])
    }
}

/// The system's `exit`; inside the type the parser's method of the same name would be called.
private func systemExit(_ status: Int32) -> Never { exit(status) }
