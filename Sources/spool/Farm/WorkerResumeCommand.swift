import ArgumentParser
import CommandLineInterface
import FarmAPI
import FarmClient

/// `spool worker resume`: takes back that workers were asked to drain.
struct WorkerResumeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Take back that workers were asked to drain.",
        discussion: """
            A worker that drains takes jobs again while one of its last jobs still runs. Once these have ended, or are stopped \
            because the time that they had is over, it is too late: the worker ends, and is started again on its own machine. \
            Neither can a worker resume that was stopped there.
            """)

    /// The pauses between two looks at a worker, and how many looks there are at most. A worker hears of the change with
    /// its next heartbeat, within about a second, and is no longer listed ten seconds after its last one.
    private static let pause = Duration.milliseconds(500)
    private static let looks = 40

    @OptionGroup var farm: FarmOptions
    @Argument(help: "Workers.") var ids: [String]

    func run() async throws {
        try await farm.each(ids, \.self) { client, id in
            let before = try await client.resumeWorker(id)
            guard before.isDraining else { return (before, "\(id): takes jobs, and is no longer asked to drain") }
            let after = try await WorkerResumeCommand.resumed(id, client)
            return (after, "\(id): takes jobs again, with \(after.busy) of \(after.slots) slots busy")
        }
    }

    /// Waits until a worker that drained takes jobs again.
    private static func resumed(_ id: String, _ client: FarmClient) async throws -> WorkerReport {
        for _ in 0..<looks {
            do {
                let worker = try await client.worker(id)
                if !worker.isDraining { return worker }
            } catch let failure as ClientFailure where failure.reason == .refused(.notFound) {
                throw ClientFailure(
                    failure.reason, "it was too late: the worker ended before it heard of the change; start it again")
            }
            try await Task.sleep(for: pause)
        }
        throw ClientFailure(
            .interrupted, "the worker still drains; it may be ending, so look at 'spool worker show \(id)'")
    }
}
