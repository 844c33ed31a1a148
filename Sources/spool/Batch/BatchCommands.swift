import ArgumentParser
import CommandLineInterface
import FarmAPI
import FarmClient
import Vocabulary
import FoundationEssentials

/// `spool batch ls`: lists batches.
struct BatchListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "ls", abstract: "List the newest batches.")

    @OptionGroup var farm: FarmOptions

    @Option(help: "Only in this state: \(BatchState.allCases.map(\.rawValue).joined(separator: ", ")).")
    var state: BatchState?

    @Option(help: "How many of the newest, 1...1000.")
    var limit = 20

    func validate() throws {
        if !(1...1000).contains(limit) { throw ValidationError("--limit must be 1...1000, not \(limit)") }
    }

    func run() async throws {
        let listing = try await farm.client().batches(state: state, limit: limit)
        try farm.list(listing.items, "BATCH", "STATE", "ROWS", "ENDED", "FAILED", "AGE", "LABEL") { batch in
            let progress = batch.progress
            return [
                batch.id.text, batch.state.rawValue, "\(progress.rows)", "\(progress.ended)", "\(progress.failed)",
                Phrase.age(batch.createdAt, at: listing.at), batch.label,
            ]
        }
    }
}

/// `spool batch show`: prints a batch.
struct BatchShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show a batch and its progress.")

    @OptionGroup var farm: FarmOptions
    @Argument(help: "The batch.") var id: BatchID

    func run() async throws {
        let batch = try await farm.client().batch(id)
        if farm.json { return try Terminal.printFarmJSON(batch) }
        let progress = batch.progress
        var lines = [
            "\(batch.id) '\(batch.label)': \(batch.state.rawValue)",
            "  \(BatchDisplay.counts(progress)), \(progress.completed) completed, \(progress.open) open",
            "  accepted \(FarmJSON.text(batch.createdAt))" + (batch.endedAt.map { ", ended \(FarmJSON.text($0))" } ?? ""),
        ]
        if let pace = batch.pace { lines.append("  at most \(Phrase.number(pace)) exports per minute") }
        for (key, value) in (batch.tags ?? [:]).sorted(by: { $0.key < $1.key }) { lines.append("  tag \(key)=\(value)") }
        Terminal.print(lines: lines)
    }
}

/// `spool batch follow`: follows a batch until it has ended.
struct BatchFollowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow", abstract: "Show the progress of a batch until it has ended; exit 0 only if all completed.")

    @OptionGroup var farm: FarmOptions
    @Argument(help: "The batch.") var id: BatchID

    func run() async throws {
        try await Interruption.run {
            let ended = try await BatchDisplay(try farm.client()).run(id)
            if farm.json { try Terminal.printFarmJSON(ended) }
            try BatchDisplay.check(ended)
        }
    }
}

/// `spool batch results`: prints the manifest of a batch.
struct BatchResultsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "results", abstract: "Print the manifest of a batch: what became of each row.")

    @OptionGroup var farm: FarmOptions
    @Argument(help: "The batch.") var id: BatchID

    @Flag(help: "Print CSV.")
    var csv = false

    @Option(help: "Only rows in this state: \(BatchRowState.allCases.map(\.rawValue).joined(separator: ", ")).")
    var state: BatchRowState?

    func validate() throws {
        if csv, farm.json { throw ValidationError("give --csv or --json, not both") }
    }

    func run() async throws {
        let client = try farm.client()
        if csv { return Terminal.print(document: try await client.resultsAsCSV(of: id, state: state)) }
        let manifest = try await client.results(of: id, state: state)
        if farm.json { return try Terminal.printFarmJSON(manifest) }
        try farm.list(manifest.rows, "ROW", "STATE", "EXPORT", "OUTPUT", "MESSAGE") { row in
            ["\(row.row)", row.state.rawValue, row.export?.text ?? "-", row.output ?? "-", row.message ?? ""]
        }
    }
}

/// `spool batch rerun`: submits the failed rows of batches again.
struct BatchRerunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rerun", abstract: "Run the failed rows of batches again; the others keep their films.")

    @OptionGroup var farm: FarmOptions
    @Argument(help: "Batches.") var ids: [BatchID]

    func run() async throws {
        try await farm.each(ids, \.text) { client, id in
            let batch = try await client.rerun(id)
            let count = batch.progress.waiting
            return (batch, "\(id): \(BatchRowOptions.rows(count)) \(count == 1 ? "waits" : "wait") to run again")
        }
    }
}

/// `spool batch cancel`: cancels batches.
struct BatchCancelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Stop batches: rows that wait, and exports that have not ended.")

    @OptionGroup var farm: FarmOptions
    @Argument(help: "Batches.") var ids: [BatchID]

    func run() async throws {
        try await farm.each(ids, \.text) { client, id in
            let batch = try await client.cancel(id)
            return (batch, "cancelled \(id) '\(batch.label)': \(BatchDisplay.counts(batch.progress))")
        }
    }
}
