import ArgumentParser
import DraftModel
import ExportPlan

/// `spool validate`: every fault of a draft, sources included.
struct ValidateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate", abstract: "Say everything that is wrong with a draft.")

    @OptionGroup var draft: DraftOptions
    @OptionGroup var work: WorkOptions

    @Flag(help: "Print the faults as JSON.")
    var json = false

    func run() async throws {
        do {
            let prepared = try await DraftPreparation(draft, work)
            if json {
                try Terminal.printJSON(Verdict(valid: true, errors: [], warnings: prepared.warnings))
            } else {
                Terminal.print("valid: \(prepared.composition.frameCount) frames, \(prepared.composition.canvas)")
            }
        } catch let failure as CommandFailure where json && failure.diagnostics != nil {
            let diagnostics = failure.diagnostics ?? []
            let (errors, warnings) = (diagnostics.errors, diagnostics.warnings)
            try Terminal.printJSON(Verdict(valid: errors.isEmpty, errors: errors, warnings: warnings))
            throw ExitCode(failure.status)
        }
    }

    private struct Verdict: Encodable {
        /// Whether it can be rendered.
        var valid: Bool
        var errors: [DraftDiagnostic]
        var warnings: [DraftDiagnostic]
    }
}
