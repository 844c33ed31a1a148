import ArgumentParser
import CommandLineInterface
import FarmAPI
import FarmClient
import FoundationEssentials

/// `spool why`: the rule of the farm that holds an export or a job.
struct WhyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why", abstract: "Say why exports and jobs are not done yet.",
        discussion: """
            Each line is one reason, the first one first: the name of the rule, and what can be done about it.

              spool why 01a22449-f949-7d7a-9d3e-e19387ea0d10     an export
              spool why 4711                                     a job
            """)

    @OptionGroup var farm: FarmOptions
    @Argument(help: "Ids of exports, and numbers of jobs.") var subjects: [WaitSubject]

    func run() async throws {
        try await farm.each(subjects, \.text) { client, subject in
            let report =
                switch subject {
                case .export(let id): try await client.why(export: id)
                case .job(let id): try await client.why(job: id)
                }
            let lines = report.reasons.map { "  \($0.rule.rawValue): \($0.message)" }
            return (report, ["\(subject.text) is \(report.state)"] + lines)
        }
    }
}

/// An export or a job on the command line.
enum WaitSubject: ExpressibleByArgument {
    case export(ExportID), job(Int64)

    init?(argument: String) {
        if let job = Int64(argument), job > 0 {
            self = .job(job)
        } else if let export = ExportID(argument: argument) {
            self = .export(export)
        } else {
            return nil
        }
    }

    var text: String {
        switch self {
        case .export(let id): "export \(id.text)"
        case .job(let id): "job \(id)"
        }
    }
}
