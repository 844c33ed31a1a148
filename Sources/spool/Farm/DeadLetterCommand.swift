import ArgumentParser
import CommandLineInterface
import ExportPlan
import FarmAPI
import FarmClient
import Vocabulary

/// `spool dead`: the jobs whose rendering processes crashed until the farm gave them up.
struct DeadLetterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dead", abstract: "Inspect, retry and discard jobs that crashed for good.",
        discussion: """
            A job whose rendering process crashes is tried three times, on different workers where there are any. Then its \
            export fails, and the job is listed here until it is retried or discarded.
            """,
        subcommands: [List.self, Show.self, Retry.self, Discard.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "ls", abstract: "List jobs that crashed for good.")

        @OptionGroup var farm: FarmOptions
        @Option(help: "How many, 1...1000.") var limit = 100

        func run() async throws {
            let listing = try await farm.client().deadLetters(limit: limit)
            try farm.list(listing.items, "JOB", "KIND", "NUMBER", "TRIES", "AGE", "EXPORT", "WORKERS", "REASON") { letter in
                [
                    "\(letter.job)", letter.kind.rawValue, "\(letter.ordinal)", "\(letter.attempts)",
                    Phrase.age(letter.diedAt, at: listing.at), letter.export.text, letter.workers.joined(separator: ", "),
                    letter.failure.description,
                ]
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show a job with its attempts, and what its rendering processes printed.")

        @OptionGroup var farm: FarmOptions
        @Argument(help: "The job's number.") var id: Int64

        func run() async throws {
            let detail = try await farm.client().job(id)
            if farm.json { return try Terminal.printFarmJSON(detail) }
            JobText.print(detail)
            for line in JobText.log(of: detail) { Terminal.print("\(FarmJSON.text(line.at))  \(line.text)") }
        }
    }

    struct Retry: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "retry", abstract: "Retry jobs; their exports continue.")

        @OptionGroup var farm: FarmOptions
        @Argument(help: "The jobs' numbers.") var ids: [Int64]

        func run() async throws { try await JobCommand.retry(ids, farm) }
    }

    struct Discard: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "discard", abstract: "Take jobs off the list. They and their exports stay as they are.")

        @OptionGroup var farm: FarmOptions
        @Flag(help: "All that the token may see.") var all = false
        @Argument(help: "The jobs' numbers.") var ids: [Int64] = []

        func validate() throws {
            guard all == ids.isEmpty else { throw ValidationError("name the jobs to discard, or give --all, not both") }
        }

        func run() async throws {
            let jobs = all ? try await farm.client().deadLetters(limit: nil).items.map(\.job) : ids
            try await farm.each(jobs, { "job \($0)" }) { client, id in
                try await client.discardDeadLetter(id)
                return (Discarded(job: id), "job \(id) is discarded")
            }
        }

        private struct Discarded: Encodable {
            var job: Int64
        }
    }
}
