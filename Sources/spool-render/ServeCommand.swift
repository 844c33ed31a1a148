import ArgumentParser
import Media
import Rendering

/// `spool-render serve` takes jobs from standard input, one per line.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Take rendering jobs from standard input.")

    @Flag(help: "Limit memory, time and output, and cut the process off the network, for untrusted drafts and sources.")
    var limited = false

    @Option(help: "Megabytes of memory, where it is limited.")
    var memory = 4096

    @Option(help: "Seconds that a probe may take, in addition to the time to read its file at 10 MB/s, where it is limited.")
    var probeSeconds = 600

    @Option(help: "Seconds that the storage may take to answer one read of a source, where it is limited.")
    var readSeconds = 30

    @Option(help: "USER:GROUP by number: the user that it runs as, where it is limited and root starts it.")
    var user: String?

    func validate() throws {
        guard user == nil || limited else { throw ValidationError("--user needs --limited") }
        _ = try identity()
    }

    func run() throws {
        guard limited else { return try ChildLoop().run() }
        let probeTime = ProbeTimeLimit(base: .seconds(probeSeconds))
        let limits = ProcessLimits(
            memory: memory, probeTime: probeTime, readTime: .seconds(readSeconds), user: try identity())
        try ChildLoop(limits: limits).run()
    }

    private func identity() throws -> (userID: UInt32, groupID: UInt32)? {
        guard let user else { return nil }
        let numbers = user.split(separator: ":", omittingEmptySubsequences: false).map { UInt32($0) }
        guard numbers.count == 2, let userID = numbers[0], let groupID = numbers[1], userID != 0 else {
            throw ValidationError("--user takes two numbers, such as 65534:65534, and not root's; got '\(user)'")
        }
        return (userID, groupID)
    }
}
