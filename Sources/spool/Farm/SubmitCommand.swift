import ArgumentParser
import CommandLineInterface
import Coordinator
import FarmAPI
import FarmClient
import Vocabulary
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
    var drafts: [String] = []

    @Option(
        name: .customLong("draft"),
        help: ArgumentHelp(
            "A draft of the farm's library, by its name, or a revision of it as NAME@REVISION. Can be given more than once.",
            valueName: "name"))
    var libraryDrafts: [LibraryDraft] = []

    @Flag(help: "Wait until all have ended; exit 0 only if all completed.")
    var wait = false

    @Flag(help: "With --wait: take warnings for errors, exit code 65.")
    var strict = false

    func validate() throws {
        if drafts.isEmpty, libraryDrafts.isEmpty {
            throw ValidationError("give a draft file, or --draft with a draft of the library")
        }
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
        let outcomes = SubmitOutcomes(printsIDs: !farm.json)
        do {
            try await submit(to: client, packing, outcomes)
        } catch {
            outcomes.printRest()
            throw error
        }
        let (accepted, failures) = (outcomes.accepted, outcomes.failures)
        if farm.json { try Terminal.printFarmJSON(accepted) }
        if !wait { accepted.flatMap(WatchDisplay.warnings).forEach(Terminal.error) }
        if wait, !accepted.isEmpty {
            let ended = try await WatchDisplay(client).run(accepted.map(\.id))
            if failures.isEmpty { try WatchDisplay.check(ended, isStrict: strict) }
        }
        if let first = failures.first { throw ExitCode(first.status) }
    }

    /// How many drafts are on their way to the farm at a time. It answers when a draft is stored, and stores many at once.
    private static let requestsAtOnce = 8
    /// How many bytes of drafts are on their way at a time, unless one draft alone is larger. The farm holds a tenant's
    /// bodies in a memory of limited size, and refuses what does not fit.
    private static let bytesAtOnce = 16 << 20

    /// Submits all drafts. Each outcome is printed when it is known, also while the next draft is still being read.
    private func submit(to client: FarmClient, _ packing: DraftPacking, _ outcomes: SubmitOutcomes) async throws {
        let options = try values.options()
        let inputs = try DraftReader(drafts)
        try await withThrowingTaskGroup(of: Int.self) { group in
            var (requests, bytes) = (0, 0)
            while !outcomes.stops, let input = await inputs.next() {
                let place = outcomes.reserve()
                // One after the other, so that a file that several drafts use is uploaded once.
                guard
                    let submission = try await outcomes.success(
                        of: input, at: place,
                        {
                            try await packing.submission(
                                of: try input.document.get(), folder: input.folder, options: options, label: input.label)
                        })
                else { continue }
                let size = submission.document?.utf8.count ?? 0
                while requests == SubmitCommand.requestsAtOnce || requests > 0 && bytes + size > SubmitCommand.bytesAtOnce,
                    let done = try await group.next()
                {
                    requests -= 1
                    bytes -= done
                }
                requests += 1
                bytes += size
                group.addTask {
                    let export = try await outcomes.success(of: input, at: place) {
                        try await client.submit(submission, key: UUID().uuidString)
                    }
                    if let export { outcomes.add(.success(export), at: place) }
                    return size
                }
            }
            for draft in libraryDrafts where !outcomes.stops {
                let place = outcomes.reserve()
                let submission = ExportSubmission(document: nil, options: draft.options(options))
                if requests >= SubmitCommand.requestsAtOnce, try await group.next() != nil { requests -= 1 }
                requests += 1
                group.addTask {
                    let export = try await outcomes.success(of: draft.input, at: place) {
                        try await client.submit(submission, key: UUID().uuidString)
                    }
                    if let export { outcomes.add(.success(export), at: place) }
                    return 0
                }
            }
            try await group.waitForAll()
        }
    }
}

/// A draft of the farm's library on the command line: its name, which contains no `@`, and after an `@` its revision.
struct LibraryDraft: ExpressibleByArgument {
    var name: String
    /// Nil for the newest.
    var revision: Int?

    init?(argument: String) {
        let parts = argument.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
        guard parts.count <= 2, let name = parts.first, !name.isEmpty else { return nil }
        self.name = name
        guard parts.count == 2 else { return }
        guard let number = Int(parts[1]), number >= 1 else { return nil }
        revision = number
    }

    /// The options of a submission of this draft.
    func options(_ options: ExportSubmission.Options) -> ExportSubmission.Options {
        var options = options
        options.draft = name
        options.revision = revision
        return options
    }

    /// Stands for the draft in messages.
    var input: DraftInputs.Input {
        DraftInputs.Input(name: "draft \(name)\(revision.map { "@\($0)" } ?? "")", folder: "", document: .success(Data()))
    }
}

/// Options that are submitted with a draft.
struct SubmissionOptions: ParsableArguments {
    @OptionGroup var export: ExportOptions

    @Option(help: "-100...100; higher goes first; above the tenant's cap with the scope admin only. Default: 0.")
    var priority: Int?

    @Option(help: "The pool of workers that renders it. Default: default.")
    var pool: String?

    @Option(help: "The export's label. Default: the draft's title, or its file's name.")
    var label: String?

    @OptionGroup var tags: TagOptions

    func validate() throws {
        if let priority, !(-100...100).contains(priority) {
            throw ValidationError("--priority must be -100...100, not \(priority)")
        }
    }

    func options() throws -> ExportSubmission.Options {
        ExportSubmission.Options(
            label: label, parameters: try export.parameterValues(), settings: try export.settingValues(), priority: priority,
            pool: pool, tags: try tags.tagValues(), metadata: try tags.metadataValue())
    }
}
