import ArgumentParser
import Coordinator
import FarmAPI
import FarmClient
import FoundationEssentials

/// `spool submit`: submits drafts to the farm and uploads the sources that it does not have yet.
struct SubmitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "submit", abstract: "Submit drafts to the farm, and print one export id per line.",
        discussion: """
            Files that a draft names are uploaded, unless the farm has them. A draft that fails does not stop the others.
            """)

    @OptionGroup var farm: FarmOptions
    @OptionGroup var values: SubmissionOptions

    @Argument(help: "Draft files; folders, for all *.json in them; - for one draft a line on standard input.")
    var drafts: [String]

    @Flag(help: "Wait until all have ended; exit 0 only if all completed.")
    var wait = false

    @Flag(help: "With --wait: take warnings for errors, exit code 65.")
    var strict = false

    func validate() throws {
        if strict, !wait { throw ValidationError("--strict needs --wait: warnings are known when an export has ended") }
    }

    func run() async throws {
        try await Interruption.run { try await submit() }
    }

    private func submit() async throws {
        let client = try farm.client()
        let packing = DraftPacking(client) { path, byteCount in
            Terminal.error("uploaded \(path), \(Phrase.bytes(Int64(byteCount)))")
        }
        var accepted: [Export] = []
        var failures: [CommandFailure] = []
        for input in try DraftInputs(drafts) {
            do {
                let document = try input.document.get()
                let options = try values.options()
                let submission = try await packing.submission(
                    of: document, folder: input.folder, options: options, label: input.label)
                let export = try await client.submit(submission, key: UUID().uuidString)
                accepted.append(export)
                if !farm.json { Terminal.print(export.id.text) }
            } catch let failure as ClientFailure {
                failures.append(report(CommandFailure(failure, subject: input.name)))
                // Without a farm, or with a wrong token, the other drafts would fail as well.
                if failure.stopsAll { break }
            } catch let failure as CommandFailure {
                failures.append(report(failure))
            }
        }
        if farm.json { try Terminal.printFarmJSON(accepted) }
        if !wait { accepted.flatMap(WatchDisplay.warnings).forEach(Terminal.error) }
        if wait, !accepted.isEmpty {
            let ended = try await WatchDisplay(client).run(accepted.map(\.id))
            if failures.isEmpty { try WatchDisplay.check(ended, isStrict: strict) }
        }
        if let first = failures.first { throw ExitCode(first.status) }
    }

    private func report(_ failure: CommandFailure) -> CommandFailure {
        for line in failure.lines { Terminal.error(line) }
        return failure
    }
}

extension ClientFailure {
    fileprivate var stopsAll: Bool {
        switch reason {
        case .unreachable, .refused(.unauthorized), .refused(.forbidden), .refused(.unavailable), .notUnderstood, .environment:
            true
        default: false
        }
    }
}

/// Options that are submitted with a draft.
struct SubmissionOptions: ParsableArguments {
    @OptionGroup var export: ExportOptions

    @Option(help: "-100...100; higher goes first. Default: 0.")
    var priority: Int?

    @Option(help: "The pool of workers that renders it. Default: default.")
    var pool: String?

    @Option(help: "The export's label. Default: the draft's title, or its file's name.")
    var label: String?

    func validate() throws {
        if let priority, !(-100...100).contains(priority) {
            throw ValidationError("--priority must be -100...100, not \(priority)")
        }
    }

    func options() throws -> ExportSubmission.Options {
        ExportSubmission.Options(
            label: label, parameters: try export.parameterValues(), settings: try export.settingValues(), priority: priority,
            pool: pool)
    }
}
