import ArgumentParser
import CommandLineInterface
import DraftModel
import ExportPlan
import FarmAPI
import FarmClient
import RenderingProcesses
import FoundationEssentials

/// `spool batch render`: makes the films of all rows on this machine, without a server.
struct BatchRenderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render", abstract: "Render all rows of a batch on this machine, without a farm.",
        discussion: """
            The rows are checked as by `submit`, and rendered one after the other, each on all processors; segments that rows \
            share are rendered once. A row that fails does not stop the others.
            """)

    @OptionGroup var input: BatchRowOptions
    @OptionGroup var export: ExportOptions
    @OptionGroup var work: WorkOptions
    @OptionGroup var cacheLimit: CacheLimit
    @OptionGroup var remote: RemoteOptions

    @Option(name: [.customShort("o"), .customLong("output-directory")], help: "The folder to write to; it is made.")
    var directory: String

    @Option(
        name: .customLong("allow"),
        help: ArgumentHelp("A directory that sources may lie in; may be repeated. Default: any.", valueName: "directory"))
    var allowedDirectories: [String] = []

    @Flag(help: "Keep files that exist, and render only the other rows.")
    var noOverwrite = false

    @Flag(help: "Print the results as JSON.")
    var json = false

    func run() async throws {
        try await Interruption.run { try await render() }
    }

    private func render() async throws {
        let file = try input.readRows()
        let (template, folder) = try input.readTemplate()
        let rows = file.rows.map(\.values)
        if let complaint = BatchRows.complaint(about: rows) {
            throw CommandFailure("\(input.rows): \(complaint)", status: ExitStatus.badInput)
        }
        var options = BatchSubmission.Options()
        options.parameters = try export.parameterValues()
        options.settings = try export.settingValues()
        options.output = input.output
        let packing: BatchPacking
        do {
            packing = try BatchPacking(template, folder: folder, options: options)
        } catch let failure as ClientFailure {
            throw CommandFailure(failure, subject: input.template)
        }
        let checked = packing.check(rows)
        try input.check(checked, file)
        var results: [Result] = []
        var firstFailure: Int32?
        for row in checked.accepted {
            do {
                let result = try await render(row, template, folder, packing.read)
                results.append(result)
                if !json { Terminal.print("\(result.output): \(result.state)") }
            } catch {
                guard let failure = CommandFailure(any: error) else { throw error }
                let status = note(failure, of: row, file, &results)
                firstFailure = firstFailure ?? status
            }
        }
        if json { try Terminal.printJSON(results) }
        if let firstFailure { throw ExitCode(firstFailure) }
    }

    private func note(_ failure: CommandFailure, of row: BatchRow, _ file: RowFile, _ results: inout [Result]) -> Int32 {
        let line = file.rows[row.number - 1].line
        for text in failure.lines {
            let message = text.hasPrefix("error: ") ? text.dropFirst("error: ".count) : text[...]
            Terminal.error("error: \(input.rows): row \(row.number) (line \(line)): \(message)")
        }
        results.append(Result(row: row.number, output: row.output, state: "failed", frames: nil))
        return failure.status
    }

    private func render(
        _ row: BatchRow, _ template: Data, _ folder: String, _ read: BatchTemplate
    ) async throws -> Result {
        let output = try BatchFolder(directory).path(of: row.output)
        if noOverwrite, FileManager.default.fileExists(atPath: output) {
            return Result(row: row.number, output: output, state: "kept", frames: nil)
        }
        let values = read.parameters.merging(row.values) { $1 }.filter { read.names.contains($0.key) }
        let prepared = try await DraftPreparation(
            template, in: folder, parameters: values, settings: read.settings, allowedDirectories: allowedDirectories,
            remotes: try remote.policy(), work, cacheLimit: try cacheLimit.bytes())
        for warning in prepared.warnings { Terminal.error("row \(row.number): \(warning.line)") }
        try await prepared.check(
            outputs: [output] + prepared.plan.files(beside: output).map(\.name), document: input.template)
        let local = LocalExport(
            plan: prepared.plan, sources: prepared.sources, store: prepared.store, pool: prepared.pool, costs: prepared.costs)
        do {
            _ = try await local.run(to: output, replacing: !noOverwrite) { _ in }
        } catch let failure as JobFailure {
            prepared.limitCache(isQuiet: json)
            throw CommandFailure(failure, writing: [output], places: prepared.places)
        }
        prepared.limitCache(isQuiet: json)
        return Result(row: row.number, output: output, state: "rendered", frames: prepared.plan.stitch.frameCount)
    }

    private struct Result: Encodable {
        var row: Int
        var output: String
        var state: String
        var frames: Int?
    }
}
