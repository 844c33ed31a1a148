import ArgumentParser
import CommandLineInterface
import FarmAPI
import FarmClient

/// `spool audit`: checks what is true of a farm at all times.
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Check that a farm keeps its rules (needs the scope admin).",
        discussion: """
            Checks a running farm and changes nothing. docs/farm.md lists the rules. Exits with 0 where all hold, and \
            with 70 where one does not.
            """)

    @OptionGroup var farm: FarmOptions

    func run() async throws {
        let report = try await farm.client().audit()
        if farm.json {
            try Terminal.printFarmJSON(report)
        } else {
            for rule in report.rules {
                let faults = report.faults.filter { $0.rule == rule }
                Terminal.print("\(rule.rawValue): \(faults.isEmpty ? "ok" : "\(faults.count) faults")")
                for fault in faults {
                    Terminal.print("  \(fault.subject) \(fault.detail) (\(Phrase.age(fault.foundAt, at: report.at)) ago)")
                }
            }
        }
        guard report.faults.isEmpty else { throw ExitCode(70) }
    }
}
