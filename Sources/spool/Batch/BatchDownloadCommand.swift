import ArgumentParser
import CommandLineInterface
import FarmAPI
import FarmClient
import Vocabulary
import FoundationEssentials

/// `spool batch download`: downloads the films of a batch into a folder, under the names of its manifest.
struct BatchDownloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "download", abstract: "Fetch the finished films of a batch into a folder.",
        discussion: """
            Each film gets the name that the manifest says. With --no-overwrite a film whose file is there is not fetched again, \
            so that an interrupted download goes on where it stopped.
            """)

    @OptionGroup var farm: FarmOptions
    @Argument(help: "The batch.") var id: BatchID

    @Option(name: [.customShort("o"), .customLong("output-directory")], help: "The folder to write to; it is made.")
    var directory: String

    @Flag(help: "Keep files that exist, and fetch only the other films.")
    var noOverwrite = false

    @OptionGroup var provenance: ProvenanceOption

    func run() async throws {
        try await Interruption.run { try await download() }
    }

    private func download() async throws {
        let client = try farm.client()
        let manifest = try await client.results(of: id)
        var done: [Downloaded] = []
        var skipped = 0
        for row in manifest.rows where row.state == .completed {
            guard let export = row.export, let output = row.output else { continue }
            let path = try BatchFolder(directory).path(of: output)
            if noOverwrite, FileManager.default.fileExists(atPath: path) {
                skipped += 1
                continue
            }
            let text = try await provenance.text(of: export, film: path, replacing: !noOverwrite, client)
            let bytes = try await client.download(export, to: path, replacing: !noOverwrite)
            _ = try await client.downloadPictures(of: export, beside: path, replacing: !noOverwrite)
            if let text { try provenance.write(text, beside: path, replacing: !noOverwrite) }
            done.append(Downloaded(row: row.row, export: export.text, output: path, bytes: bytes))
            if !farm.json { Terminal.print("\(path): \(Phrase.bytes(Int64(bytes)))") }
        }
        if farm.json { try Terminal.printJSON(done) }
        let without = manifest.rows.count { $0.state != .completed }
        if skipped > 0 { Terminal.error("\(BatchRowOptions.rows(skipped)) with a file that is there already") }
        if without > 0 { Terminal.error("\(BatchRowOptions.rows(without)) without a film; see: spool batch results \(id)") }
    }

    private struct Downloaded: Encodable {
        var row: Int
        var export: String
        var output: String
        var bytes: Int
    }
}

/// The folder that the films of a batch are written to.
struct BatchFolder {
    private let directory: String

    init(_ directory: String) {
        self.directory = directory
    }

    /// The path of a film, whose folders are made.
    /// - Throws: `CommandFailure` for a name that leads out of the folder, which no farm gives, and where a folder cannot
    ///   be made.
    func path(of output: String) throws -> String {
        let parts = output.split(separator: "/", omittingEmptySubsequences: false)
        guard !parts.contains(where: { ["", ".", ".."].contains($0) }), !output.utf8.contains(0) else {
            throw CommandFailure(
                "the name '\(output)' of a film leads out of the folder; fetch it with 'spool download' under another name",
                status: ExitStatus.badInput)
        }
        var folder = directory
        try OutputOptions.makeDirectory(folder)
        for part in parts.dropLast() {
            folder += "/\(part)"
            try OutputOptions.makeDirectory(folder)
        }
        return "\(directory)/\(output)"
    }
}
