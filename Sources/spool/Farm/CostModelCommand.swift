import ArgumentParser
import ExportPlan
import FarmAPI
import FarmClient
import Vocabulary

/// `spool cost-model`: shows what the farm has learned of the times that jobs take.
struct CostModelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cost-model", abstract: "What the farm has learned of the times that jobs take (needs the scope admin).",
        subcommands: [List.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "ls", abstract: "List what was learned, by machine and kind of job.",
            discussion: """
                TIME is how many times as long as on an ordinary machine the jobs take, and ERROR by how much their predicted \
                times were off; in both later jobs count more.
                """)

        @OptionGroup var farm: FarmOptions

        func run() async throws {
            let listing = try await farm.client().costModels()
            try farm.list(listing.items, "MACHINE", "KIND", "CODEC", "JOBS", "TIME", "ERROR", "AGE") { model in
                [
                    model.machine, model.kind.rawValue, model.codec ?? "-", "\(model.jobs)",
                    "\((model.ratio * 100).rounded() / 100)x", "\(Int((model.error * 100).rounded())) %",
                    Phrase.age(model.updatedAt, at: listing.at),
                ]
            }
        }
    }
}
