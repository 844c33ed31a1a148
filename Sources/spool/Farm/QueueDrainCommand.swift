import ArgumentParser
import CommandLineInterface
import FarmAPI
import FarmClient
import Vocabulary

/// `spool queue drain`: pauses queues and waits until nothing of them is in flight.
struct QueueDrainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drain", abstract: "Pause queues, and wait until none of their jobs is in flight.",
        discussion: """
            Jobs that are at the workers run to their ends; ready jobs stay in the queue. The queues stay paused, also when the \
            command is interrupted, until 'spool queue resume'.

            Example:
              spool queue drain video audio && spool queue resume video audio
            """)

    private static let pause = Duration.seconds(1)

    @OptionGroup var farm: FarmOptions
    @Argument(help: "video, audio, stitch.") var roles: [WorkerRole]

    func run() async throws {
        try await Interruption.run {
            let client = try farm.client()
            var paused: [WorkerRole] = []
            do {
                for role in roles {
                    _ = try await client.setPaused(role, true)
                    paused.append(role)
                }
                try await waitUntilEmpty(client)
            } catch let resumed as CommandFailure {
                throw resumed
            } catch {
                // The person who interrupts this, or whose farm does not answer, has to know how the queues are left.
                if Terminal.isInteractive { Terminal.clearProgress() }
                if !paused.isEmpty { Terminal.error("note: \(QueueDrainCommand.remaining(paused))") }
                throw error
            }
        }
    }

    private static func names(_ roles: [WorkerRole]) -> String {
        (roles.count == 1 ? "the queue " : "the queues ") + roles.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    }

    /// A sentence that says that queues stay paused, and what resumes them.
    private static func remaining(_ roles: [WorkerRole]) -> String {
        let (verb, object) = roles.count == 1 ? ("stays", "it") : ("stay", "them")
        let words = roles.map(\.rawValue).joined(separator: " ")
        return "\(names(roles)) \(verb) paused; resume \(object) with: spool queue resume \(words)"
    }

    private func waitUntilEmpty(_ client: FarmClient) async throws {
        var most = 0
        var before: Int?
        while true {
            let queues = try await client.queues().items.filter { roles.contains($0.role) }
            let count = queues.reduce(0) { $0 + $1.dispatched + $1.running }
            if Terminal.isInteractive, before != nil { Terminal.clearProgress() }
            if let resumed = queues.first(where: { !$0.isPaused }) {
                throw CommandFailure(
                    "the queue '\(resumed.role.rawValue)' was resumed meanwhile, so it does not drain; pause it again, or leave it",
                    status: ExitStatus.temporaryFailure)
            }
            guard count > 0 else {
                return try farm.say(
                    "nothing of \(QueueDrainCommand.names(roles)) is in flight; \(QueueDrainCommand.remaining(roles))", queues)
            }
            most = max(most, count)
            show(queues, done: most - count, of: most, isNew: before != count)
            before = count
            try await Task.sleep(for: QueueDrainCommand.pause)
        }
    }

    /// Shows the progress: one line on a terminal, otherwise a line for each change.
    private func show(_ queues: [QueueStatus], done: Int, of most: Int, isNew: Bool) {
        let dispatched = queues.reduce(0) { $0 + $1.dispatched }, running = queues.reduce(0) { $0 + $1.running }
        guard Terminal.isInteractive else {
            if isNew { Terminal.error("\(dispatched) dispatched, \(running) running") }
            return
        }
        var line = ProgressLine(fraction: Double(done) / Double(max(1, most)), parts: [])
        line.parts.append(.init("\(running) running", importance: 3))
        line.parts.append(.init("\(dispatched) dispatched", importance: 2))
        Terminal.show(line)
    }
}
