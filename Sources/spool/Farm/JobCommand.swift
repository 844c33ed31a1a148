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
        static let configuration = CommandConfiguration(
            commandName: "ls", abstract: "List jobs.", discussion: "Columns: \(FarmTables.jobs().names).")

        @OptionGroup var farm: FarmOptions
        @OptionGroup var list: ListOptions
        @Option(help: "Only jobs of this export.") var export: ExportID?
        @Option(help: "Only in this state: \(JobState.allCases.map(\.rawValue).joined(separator: ", ")).")
        var state: JobState?
        @Option(help: "Only jobs of this role: video, audio or stitch.") var role: WorkerRole?
        @Option(help: "How many, 1...1000: the first ones that match, or the first ones as they are sorted.")
        var limit = 100

        func validate() throws {
            if !(1...1000).contains(limit) { throw ValidationError("--limit must be 1...1000, not \(limit)") }
        }

        func run() async throws {
            try list.check(FarmTables.jobs(), farm)
            let filter = JobFilter(
                export: try list.asked("export", option: export) { ExportID($0) },
                state: try list.asked("state", option: state, known: JobState.allCases.map(\.rawValue)) {
                    JobState(rawValue: $0)
                },
                role: try list.asked("role", option: role, known: WorkerRole.allCases.map(\.rawValue)) {
                    WorkerRole(rawValue: $0)
                })
            let matcher = list.matcher(FarmTables.jobs(), besides: ["export", "state", "role"])
            let listing = try await farm.client().jobs(filter, limit: list.limit(limit), where: matcher)
            try farm.list(listing.items, FarmTables.jobs(at: listing.at, isUTC: list.utc), list, limit: limit)
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "show", abstract: "Show a job with all its attempts.")

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
        static let configuration = CommandConfiguration(
            commandName: "log", abstract: "Print the events of a job in order, one per line.")

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
        static let configuration = CommandConfiguration(
            commandName: "retry", abstract: "Retry failed jobs; their exports continue.")

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
