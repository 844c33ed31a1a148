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
        var outcomes = SubmitOutcomes(printsIDs: !farm.json)
        let options = try values.options()
        var inputs = try DraftInputs(drafts).makeIterator()
        try await withThrowingTaskGroup(
            of: (place: Int, outcome: Result<Export, CommandFailure>, stopsAll: Bool).self
        ) { group in
            var inFlight = 0
            var stops = false
            while true {
                while !stops, inFlight < SubmitCommand.requestsAtOnce, let input = inputs.next() {
                    let place = outcomes.reserve()
                    do {
                        // One after the other, so that a file that several drafts use is uploaded once.
                        let submission = try await packing.submission(
                            of: try input.document.get(), folder: input.folder, options: options, label: input.label)
                        inFlight += 1
                        group.addTask {
                            do {
                                return (place, .success(try await client.submit(submission, key: UUID().uuidString)), false)
                            } catch {
                                let (failure, stopsAll) = try SubmitCommand.failure(error, of: input)
                                return (place, .failure(failure), stopsAll)
                            }
                        }
                    } catch {
                        let (failure, stopsAll) = try SubmitCommand.failure(error, of: input)
                        outcomes.add(.failure(failure), at: place)
                        stops = stopsAll
                    }
                }
                guard let done = try await group.next() else { return }
                inFlight -= 1
                outcomes.add(done.outcome, at: done.place)
                stops = stops || done.stopsAll
            }
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

    /// - Returns: the failure as it is printed, and whether the other drafts would fail as well: without a farm, or with
    ///   a wrong token.
    /// - Throws: an error that is not about the draft, such as `CancellationError`.
    private static func failure(_ error: any Error, of input: DraftInputs.Input) throws -> (CommandFailure, stopsAll: Bool) {
        switch error {
        case let failure as ClientFailure: (CommandFailure(failure, subject: input.name), failure.stopsAll)
        case let failure as CommandFailure: (failure, false)
        default: throw error
        }
    }
}

/// What came of submitted drafts, printed in the order of the drafts as soon as it is known.
private struct SubmitOutcomes {
    /// Whether the id of each accepted export is printed.
    let printsIDs: Bool
    private(set) var accepted: [Export] = []
    private(set) var failures: [CommandFailure] = []
    /// Outcomes that wait for those of earlier drafts.
    private var waiting: [Int: Result<Export, CommandFailure>] = [:]
    private var reserved = 0
    private var printed = 0

    init(printsIDs: Bool) {
        self.printsIDs = printsIDs
    }

    /// - Returns: the place of the next draft.
    mutating func reserve() -> Int {
        reserved += 1
        return reserved - 1
    }

    mutating func add(_ outcome: Result<Export, CommandFailure>, at place: Int) {
        waiting[place] = outcome
        while let next = waiting.removeValue(forKey: printed) {
            printed += 1
            switch next {
            case .success(let export):
                accepted.append(export)
                if printsIDs { Terminal.print(export.id.text) }
            case .failure(let failure):
                failures.append(failure)
                for line in failure.lines { Terminal.error(line) }
            }
        }
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
