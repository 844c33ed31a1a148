import ArgumentParser
import Rendering

/// `spool-render serve`: takes jobs from standard input, a line each.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Take rendering jobs from standard input.")

    @Flag(help: "Limit memory, time and output, and leave the network: for drafts and sources of strangers.")
    var limited = false

    @Option(help: "Megabytes of memory, where it is limited.")
    var memory = 4096

    func run() throws { try ChildLoop(limits: limited ? ProcessLimits(memory: memory) : nil).run() }
}
