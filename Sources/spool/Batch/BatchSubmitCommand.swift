import ArgumentParser
import CommandLineInterface
import DraftModel
import FarmAPI
import FarmClient
import Vocabulary
import FoundationEssentials

/// `spool batch submit`: checks the rows, uploads the files that they name, and submits the batch.
struct BatchSubmitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "submit", abstract: "Submit a batch to the farm, and print its id.",
        discussion: """
            Every row is checked before anything is submitted. A fault is printed with its row, line, column and reason, and \
            nothing is accepted then, unless --partial is given. Files that the template or a row names are uploaded.
            """)

    @OptionGroup var farm: FarmOptions
    @OptionGroup var input: BatchRowOptions
    @OptionGroup var values: SubmissionOptions

    @Option(
        help: ArgumentHelp(
            "At most this many exports per minute are submitted. Default: no limit.", valueName: "exports per minute"))
    var limitRate: Double?

    @Flag(help: "Wait until the batch has ended; exit 0 only if all of its exports completed.")
    var wait = false

    func validate() throws {
        if let limitRate, !(0.01...1_000_000).contains(limitRate) {
            throw ValidationError("--limit-rate must be 0.01...1000000 exports per minute, not \(limitRate)")
        }
    }

    func run() async throws {
        try await Interruption.run { try await submit() }
    }

    private func submit() async throws {
        let client = try farm.client()
        let file = try input.readRows()
        let (template, folder) = try input.readTemplate()
        var options = try options()
        let rows = file.rows.map(\.values)
        if let complaint = BatchRows.complaint(about: rows) {
            throw CommandFailure("\(input.rows): \(complaint)", status: ExitStatus.badInput)
        }
        do {
            let packing = try BatchPacking(template, folder: folder, options: options)
            let checked = packing.check(rows)
            try input.check(checked, file)
            if options.label == nil { options.label = label }
            let uploads = DraftPacking(client) { path, byteCount in
                Terminal.error("uploaded \(path), \(Phrase.bytes(Int64(byteCount)))")
            }
            let submission = try await packing.submission(of: rows, checked, options: options, with: uploads)
            let batch = try await client.submit(submission, key: UUID().uuidString)
            if !farm.json { Terminal.print(batch.id.text) }
            let ended = wait ? try await BatchDisplay(client).run(batch.id) : batch
            if farm.json { try Terminal.printFarmJSON(ended) }
            if wait { try BatchDisplay.check(ended) }
        } catch let failure as ClientFailure {
            throw refusal(failure, file)
        }
    }

    private func options() throws -> BatchSubmission.Options {
        let own = try values.options()
        var options = BatchSubmission.Options()
        options.label = own.label
        options.parameters = own.parameters
        options.settings = own.settings
        options.priority = own.priority
        options.pool = own.pool
        options.tags = own.tags
        options.metadata = own.metadata
        options.output = input.output
        options.pace = limitRate
        options.partial = input.partial ? true : nil
        return options
    }

    private var label: String? {
        input.template == "-" ? nil : URL(fileURLWithPath: input.template).deletingPathExtension().lastPathComponent
    }

    /// The failure with each fault at its place in the file of rows.
    private func refusal(_ failure: ClientFailure, _ file: RowFile) -> CommandFailure {
        var result = CommandFailure(failure, subject: input.template)
        guard !failure.diagnostics.isEmpty else { return result }
        result.lines = failure.diagnostics.errors.map { fault in
            fault.row == nil && fault.path != "rows"
                ? "error: \(input.template): \(fault.path.isEmpty ? "" : fault.path + ": ")\(fault.message)"
                : "error: " + input.line(fault, file)
        }
        return result
    }
}
