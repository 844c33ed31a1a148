import ArgumentParser
import CommandLineInterface

/// `spool coordinator`: becomes the program `spool-coordinator`, which serves the HTTP API, and does the leader's work
/// while it is elected. The options are parsed here too, for `--help`, completions and usage errors.
struct CoordinatorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "coordinator", abstract: "Serve the farm's API and lead its workers.")

    @OptionGroup var options: CoordinatorOptions

    func run() throws {
        let words = CommandLine.arguments.dropFirst().drop { $0 != Self._commandName }.dropFirst()
        try ProgramFiles.become(try ProgramFiles.coordinator(), words)
    }
}
