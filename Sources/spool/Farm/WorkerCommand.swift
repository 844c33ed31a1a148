import ArgumentParser
import CommandLineInterface
import Coordinator
import ExportPlan
import FarmAPI
import FarmClient
import JobQueue
import Vocabulary
import FoundationEssentials

/// `spool worker` runs a worker; `spool worker ls` and `spool worker show` print what workers do, `spool worker drain` ends
/// some, and `spool worker resume` takes that back.
struct WorkerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worker", abstract: "Run a worker, show the farm's workers, drain some or take that back.",
        subcommands: [WorkerRunCommand.self, List.self, Show.self, Drain.self, WorkerResumeCommand.self],
        defaultSubcommand: WorkerRunCommand.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "ls", abstract: "List the workers and what each is rendering.",
            discussion: "Columns: \(FarmTables.workers().names).")

        @OptionGroup var farm: FarmOptions
        @OptionGroup var list: ListOptions

        func run() async throws {
            try list.check(FarmTables.workers(), farm)
            let listing = try await farm.client().workers()
            let table = FarmTables.workers(at: listing.at, isUTC: list.utc)
            let matcher = list.matcher(table)
            try farm.list(listing.items.filter { matcher?($0) ?? true }, table, list)
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show a worker and what each of its slots does.")

        @OptionGroup var farm: FarmOptions
        @Argument(help: "The worker.") var id: String

        func run() async throws {
            let worker = try await farm.client().worker(id)
            if farm.json { return try Terminal.printFarmJSON(worker) }
            Terminal.print(
                "worker \(worker.id) on \(worker.host), version \(worker.version)\(worker.isDraining ? ", draining" : "")")
            Terminal.print("roles   \(worker.roles.map(\.rawValue).joined(separator: ", "))")
            Terminal.print("pools   \(worker.pools.joined(separator: ", "))")
            Terminal.print("slots   \(worker.busy) of \(worker.slots) busy")
            if let machine = worker.machine { Terminal.print("machine \(machine)") }
            if let offer = worker.offer { Terminal.print("offers  \(offer)") }
            if let waiting = worker.waiting, waiting > 0 {
                Terminal.print("waiting \(waiting) job\(waiting == 1 ? "" : "s") for enough free slots")
            }
            if let layers = worker.missingLayers, !layers.isEmpty {
                let words = layers.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }
                Terminal.print("sandbox without \(words.joined(separator: ", "))")
            }
            for lack in worker.lacks ?? [] { Terminal.print("lacks   \(lack)") }
            if let reason = worker.pausedFor { Terminal.print("paused  takes no jobs: \(reason)") }
            Terminal.print("since   \(FarmJSON.text(worker.startedAt)), seen \(FarmJSON.text(worker.seenAt))")
            guard !worker.running.isEmpty else { return }
            let rows = worker.running.map { running in
                [
                    "\(running.job)", "\(running.attempt)", running.kind.rawValue, "\(running.width ?? 1)",
                    running.memory.map(Phrase.bytes) ?? "-", "\(running.done)",
                    running.total > 0 ? "\(running.total)" : "-", "\((running.rate * 10).rounded() / 10)/s",
                    running.export?.text ?? "-",
                ]
            }
            Terminal.print(
                lines: TextTable(
                    ["JOB", "TRY", "KIND", "SLOTS", "MEMORY", "FRAME", "OF", "RATE", "EXPORT"], rows
                ).lines)
        }
    }
}

extension WorkerCommand {
    struct Drain: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "drain", abstract: "Ask workers to drain.",
            discussion: """
                A worker that drains takes no new jobs, ends those that run or gives them back, and ends. 'spool worker ls' shows \
                it until then, and 'spool worker resume' takes it back.
                """)

        @OptionGroup var farm: FarmOptions
        @Argument(help: "Workers.") var ids: [String]

        func run() async throws {
            try await farm.each(ids, \.self) { client, id in
                let worker = try await client.drainWorker(id)
                return (worker, "\(id): drains, with \(worker.busy) of \(worker.slots) slots busy")
            }
        }
    }
}

extension WorkerReport {
    /// The worker's state in a word, with the reason when it takes no jobs.
    var state: String {
        if isDraining { return "draining" }
        if let pausedFor { return "paused: \(pausedFor)" }
        return busy == 0 ? "idle" : "working"
    }
}

extension WorkerReport {
    /// What the jobs may take, as text, such as `21.3 GB of memory and 8 processors for jobs`; nil where the worker does
    /// not say.
    fileprivate var offer: String? {
        let parts = [
            memory.map { "\(Phrase.bytes($0)) of memory" }, processors.map { "\(Phrase.number($0)) processors" },
        ]
        let known = parts.compactMap(\.self)
        return known.isEmpty ? nil : known.joined(separator: " and ") + " for jobs"
    }
}

extension WorkerReport.Running {
    /// The job as text, such as `video job 17 on 2 slots, frame 45/120, 31.2/s`.
    var phrase: String {
        let frames = total > 0 ? "frame \(done)/\(total)" : "\(done) done"
        let slots = (width ?? 1) > 1 ? " on \(width ?? 1) slots" : ""
        return "\(kind.rawValue) job \(job)\(slots), \(frames), \((rate * 10).rounded() / 10)/s"
    }
}
