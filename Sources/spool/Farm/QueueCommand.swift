import ArgumentParser
import CommandLineInterface
import Coordinator
import FarmAPI
import FarmClient
import JobQueue
import Vocabulary

/// `spool queue`: shows, pauses, resumes, drains and purges the queues of the workers' roles.
struct QueueCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queue", abstract: "The queues of the workers' roles.",
        subcommands: [
            List.self, Statistics.self, QueuePeekCommand.self, Pause.self, Resume.self, QueueDrainCommand.self,
            QueuePurgeCommand.self,
        ])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "ls", abstract: "List the queues.", discussion: "Columns: \(FarmTables.queues().names).")

        @OptionGroup var farm: FarmOptions
        @OptionGroup var list: ListOptions

        func run() async throws {
            try list.check(FarmTables.queues(), farm)
            let listing = try await farm.client().queues()
            let table = FarmTables.queues(at: listing.at, isUTC: list.utc)
            let matcher = list.matcher(table)
            try farm.list(listing.items.filter { matcher?($0) ?? true }, table, list)
        }
    }

    /// Prints everything that is known about a queue, and its workers.
    struct Statistics: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "stats", abstract: "Show all numbers of one queue or of all queues, with the slots that serve them.")

        @OptionGroup var farm: FarmOptions
        @Argument(help: "video, audio or stitch. Default: all.") var role: WorkerRole?

        func run() async throws {
            let client = try farm.client()
            let listing = try await client.queues()
            let workers = try await client.workers().items
            let statistics = listing.items.filter { role == nil || role == $0.role }.map { queue in
                let serving = workers.filter { $0.roles.contains(queue.role) && !$0.isDraining }
                return Numbers(
                    queue: queue, workers: serving.count, slots: serving.reduce(0) { $0 + $1.slots },
                    busy: serving.reduce(0) { $0 + $1.busy })
            }
            if farm.json { return try Terminal.printFarmJSON(statistics) }
            for numbers in statistics {
                let queue = numbers.queue
                let oldest = queue.oldestReadySince.map { "ready for " + Phrase.age($0, at: listing.at) }
                let waiting = queue.waitingTime.map { Phrase.seconds($0) + " on average in the last minute" }
                let inFlight = "\(queue.dispatched) dispatched, \(queue.running) running"
                Terminal.print("\(queue.role.rawValue)\(queue.isPaused ? " (paused)" : "")")
                Terminal.print("  jobs      \(queue.waiting) wait for others, \(queue.ready) ready, \(inFlight)")
                Terminal.print("  oldest    \(oldest ?? "none is ready")")
                Terminal.print("  waiting   \(waiting ?? "nothing began in the last minute")")
                Terminal.print("  rate      \(queue.finishedLastMinute) finished in the last minute")
                Terminal.print("  errors    \(queue.errorsLastHour) in the last hour")
                Terminal.print("  workers   \(numbers.workers), with \(numbers.busy) of \(numbers.slots) slots busy")
            }
        }

        private struct Numbers: Encodable {
            var queue: QueueStatus
            /// The number of workers that serve the queue and are not draining.
            var workers: Int
            var slots: Int
            var busy: Int
        }
    }

    struct Pause: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "pause", abstract: "Dispatch no more jobs of these queues; running jobs continue.")

        @OptionGroup var farm: FarmOptions
        @Argument(help: "video, audio, stitch.") var roles: [WorkerRole]

        func run() async throws { try await QueueCommand.set(roles, paused: true, farm) }
    }

    struct Resume: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "resume", abstract: "Dispatch jobs of these queues again.")

        @OptionGroup var farm: FarmOptions
        @Argument(help: "video, audio, stitch.") var roles: [WorkerRole]

        func run() async throws { try await QueueCommand.set(roles, paused: false, farm) }
    }

    private static func set(_ roles: [WorkerRole], paused: Bool, _ farm: FarmOptions) async throws {
        try await farm.each(roles, { "queue '\($0.rawValue)'" }) { client, role in
            (try await client.setPaused(role, paused), "queue '\(role.rawValue)' is \(paused ? "paused" : "resumed")")
        }
    }
}
