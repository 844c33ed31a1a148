import ArgumentParser
import CommandLineInterface
import DraftModel
import ExportPlan

/// `spool validate`: reports every error of a draft and of its sources.
struct ValidateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate", abstract: "List every error of a draft.")

    @OptionGroup var draft: DraftOptions
    @OptionGroup var work: WorkOptions

    @Flag(help: "Print the errors as JSON.")
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
        /// Whether the draft can be rendered.
        var valid: Bool
        var errors: [DraftDiagnostic]
        var warnings: [DraftDiagnostic]
    }
}
