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
                try Terminal.printJSON(Verdict(valid: true, errors: []))
            } else {
                print("valid: \(prepared.composition.frameCount) frames, \(prepared.composition.canvas)")
            }
        } catch let failure as CommandFailure where json && failure.diagnostics != nil {
            try Terminal.printJSON(Verdict(valid: false, errors: failure.diagnostics ?? []))
            throw ExitCode(failure.status)
        }
    }

    private struct Verdict: Encodable {
        var valid: Bool
        var errors: [DraftDiagnostic]
    }
}
