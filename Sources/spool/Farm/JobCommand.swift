import ArgumentParser
import CommandLineInterface
import Coordinator
import ExportPlan
import FarmAPI
import FarmClient
import JobQueue
import Vocabulary
import FoundationEssentials

/// `spool job`: shows, lists and retries the jobs of exports.
struct JobCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "job", abstract: "Show and retry the jobs of exports.",
        subcommands: [List.self, Show.self, Log.self, Retry.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "ls", abstract: "List jobs.")

        @OptionGroup var farm: FarmOptions
        @Option(help: "Only jobs of this export.") var export: ExportID?
        @Option(help: "Only in this state: \(JobState.allCases.map(\.rawValue).joined(separator: ", ")).")
        var state: JobState?
        @Option(help: "Only jobs of this role: video, audio or stitch.") var role: WorkerRole?
        @Option(help: "How many, 1...1000.") var limit = 100

        func run() async throws {
            let listing = try await farm.client().jobs(export: export, state: state, role: role?.rawValue, limit: limit)
            try farm.list(
                listing.items, "JOB", "KIND", "NUMBER", "STATE", "TRY", "FRAMES", "WORKER", "AGE", "EXPORT"
            ) { job in
                [
                    "\(job.id)", job.kind.rawValue, "\(job.ordinal)", job.state.rawValue + (job.reused ? " (reused)" : ""),
                    "\(job.attempt)", job.frameCount > 0 ? "\(job.frameCount)" : "-", job.worker ?? "-",
                    Phrase.age(job.createdAt, at: listing.at), job.export.text,
                ]
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show a job with all its attempts.")

        @OptionGroup var farm: FarmOptions
        @Argument(help: "The job's number.") var id: Int64

        func run() async throws {
            let detail = try await farm.client().job(id)
            if farm.json { return try Terminal.printFarmJSON(detail) }
            JobText.print(detail)
        }
    }

    /// Prints the events of a job, in order.
    struct Log: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Print the events of a job in order, one per line.")

        @OptionGroup var farm: FarmOptions
        @Argument(help: "The job's number.") var id: Int64

        func run() async throws {
            let detail = try await farm.client().job(id)
            let lines = JobText.log(of: detail)
            if farm.json { return try Terminal.printFarmJSON(lines) }
            for line in lines { Terminal.print("\(FarmJSON.text(line.at))  \(line.text)") }
        }
    }

    struct Retry: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Retry failed jobs; their exports continue.")

        @OptionGroup var farm: FarmOptions
        @Argument(help: "The jobs' numbers.") var ids: [Int64]

        func run() async throws { try await JobCommand.retry(ids, farm) }
    }

    /// Retries failed jobs one after the other.
    static func retry(_ ids: [Int64], _ farm: FarmOptions) async throws {
        try await farm.each(ids, { "job \($0)" }) { client, id in
            let detail = try await client.retry(id)
            return (detail, "job \(id) is \(detail.job.state.rawValue) again, export \(detail.job.export) goes on")
        }
    }
}
