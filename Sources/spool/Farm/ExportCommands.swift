import ArgumentParser
import CommandLineInterface
import Coordinator
import FarmAPI
import FarmClient
import Vocabulary
import FoundationEssentials

/// `spool status`: prints the state of exports.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show exports: those named, or the newest.",
        discussion: "Columns: \(FarmTables.exports().names).")

    @OptionGroup var farm: FarmOptions
    @OptionGroup var list: ListOptions

    @Argument(help: "Exports.")
    var ids: [ExportID] = []

    @Option(help: "Only in this state: \(ExportState.allCases.map(\.rawValue).joined(separator: ", ")).")
    var state: ExportState?

    @Option(name: .customLong("tag"), help: ArgumentHelp("Only with this tag; may be repeated.", valueName: "key=value"))
    var tags: [String] = []

    @Option(help: "Only exports of this batch.")
    var batch: BatchID?

    @Option(help: "How many, 1...1000: the newest ones that match, or the first ones as they are sorted.")
    var limit = 20

    func validate() throws {
        _ = try ExportOptions.pairs(tags, "--tag")
        if !ids.isEmpty, !tags.isEmpty || batch != nil {
            throw ValidationError("--tag and --batch narrow the list of the newest; leave them out where exports are named")
        }
        if !(1...1000).contains(limit) { throw ValidationError("--limit must be 1...1000, not \(limit)") }
    }

    func run() async throws {
        try list.check(FarmTables.exports(), farm)
        let state = try list.asked("state", option: state, known: ExportState.allCases.map(\.rawValue)) {
            ExportState(rawValue: $0)
        }
        let batch = try list.asked("batch", option: batch) { BatchID($0) }
        let client = try farm.client()
        var exports: [Export] = []
        var now = Date()
        if ids.isEmpty {
            let filter = ExportFilter(state: state, tags: try ExportOptions.pairs(tags, "--tag"), batch: batch)
            let matcher = list.matcher(FarmTables.exports(), besides: ["state", "batch"])
            let listing = try await client.exports(filter, limit: list.limit(limit), where: matcher)
            exports = listing.items
            now = listing.at
        } else {
            for id in ids { exports.append(try await client.export(id)) }
            exports.removeAll { state != nil && $0.state != state }
            if let matcher = list.matcher(FarmTables.exports()) { exports.removeAll { !matcher($0) } }
        }
        try farm.list(
            exports, FarmTables.exports(at: now, isUTC: list.utc), list, limit: ids.isEmpty ? limit : nil)
        guard !ids.isEmpty else { return }
        if !farm.json, !list.csv {
            Terminal.print(lines: exports.flatMap { WatchDisplay.explanation($0) + WatchDisplay.publication($0) })
        }
        exports.flatMap(WatchDisplay.warnings).forEach(Terminal.error)
    }
}

/// `spool watch`: follows exports until they have ended.
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Show the progress of exports until all have ended; exit 0 only if all completed.")

    @OptionGroup var farm: FarmOptions

    @Argument(help: "Exports.")
    var ids: [ExportID]

    @Flag(help: "Take warnings for errors: exit code 65.")
    var strict = false

    func run() async throws {
        try await Interruption.run {
            let ended = try await WatchDisplay(try farm.client()).run(ids)
            if farm.json { try Terminal.printFarmJSON(ended) }
            try WatchDisplay.check(ended, isStrict: strict)
        }
    }
}

/// `spool cancel`: cancels exports.
struct CancelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "cancel", abstract: "Stop exports.")

    @OptionGroup var farm: FarmOptions

    @Argument(help: "Exports.")
    var ids: [ExportID]

    func run() async throws {
        try await farm.each(ids, \.text) { client, id in
            let export = try await client.cancel(id)
            return (export, "cancelled \(id) '\(export.label)'")
        }
    }
}

/// `spool rm`: removes exports that have ended, or their films alone.
struct RemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm", abstract: "Remove exports that have ended, or their films.",
        discussion: "The bytes of films go with a later collection of garbage (`spool gc`).")

    @OptionGroup var farm: FarmOptions

    @Flag(name: .customLong("film"), help: "Remove the films alone; the exports stay listed.")
    var isFilmOnly = false

    @Argument(help: "Exports.")
    var ids: [ExportID]

    func run() async throws {
        try await farm.each(ids, \.text) { client, id in
            guard isFilmOnly else {
                try await client.removeExport(id)
                return (Removed(export: id), "removed \(id)")
            }
            try await client.removeFilm(of: id)
            return (Removed(export: id), "removed the film of \(id)")
        }
    }

    private struct Removed: Encodable { var export: ExportID }
}

/// `spool prioritize`: gives exports another priority.
struct PrioritizeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prioritize", abstract: "Give exports another priority, which counts for all jobs that no worker has.")

    @OptionGroup var farm: FarmOptions

    @Argument(help: "Exports.")
    var ids: [ExportID]

    @Option(help: "-100...100; higher goes first. Above the tenant's cap it needs an operator's token.")
    var priority: Int

    func validate() throws {
        if !(-100...100).contains(priority) { throw ValidationError("--priority must be -100...100, not \(priority)") }
    }

    func run() async throws {
        try await farm.each(ids, \.text) { client, id in
            let export = try await client.setPriority(priority, of: id)
            return (export, "\(id) has the priority \(export.priority)")
        }
    }
}

/// `spool rerun`: submits exports again.
struct RerunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rerun",
        abstract: "Run exports again as new ones, whose ids it prints; what is rendered already is not rendered again.")

    @OptionGroup var farm: FarmOptions

    @Argument(help: "Exports.")
    var ids: [ExportID]

    func run() async throws {
        try await farm.each(ids, \.text) { client, id in
            let export = try await client.rerun(id, key: UUID().uuidString)
            return (export, export.id.text)
        }
    }
}

/// `spool download`: downloads the film of an export, the pictures beside it, and how it was made.
struct DownloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "download", abstract: "Fetch a finished film, with the pictures beside it.")

    @OptionGroup var farm: FarmOptions

    @Argument(help: "The export.")
    var id: ExportID

    @Option(
        name: [.customShort("o"), .long],
        help: "The file to write; frames/%05d.png unpacks a film of numbered pictures, stream/film.m3u8 a stream.")
    var output: String

    @OptionGroup var numbering: StartNumber
    @OptionGroup var writing: OutputOptions
    @OptionGroup var provenance: ProvenanceOption

    func validate() throws {
        if provenance.isWanted, isUnpacked {
            throw ValidationError("--provenance writes a file beside one film; name a film with -o")
        }
    }

    func run() async throws {
        try await Interruption.run {
            if isUnpacked { return try await unpack() }
            if numbering.startNumber != nil { throw StartNumber.isNotUsed }
            var pictures: [String] = []
            var record: String?
            try await farm.download(to: output, writing) { client, progress in
                // It comes first, so that nothing is downloaded where the farm does not know it.
                let replacing = !writing.noOverwrite
                let text = try await provenance.text(of: id, film: output, replacing: replacing, client)
                let bytes = try await client.download(id, to: output, replacing: replacing, progress: progress)
                pictures = try await client.downloadPictures(of: id, beside: output, replacing: replacing)
                record = try text.map { try provenance.write($0, beside: output, replacing: replacing) }
                return bytes
            } record: {
                Downloaded(
                    export: id.text, output: output, bytes: $0, pictures: pictures.isEmpty ? nil : pictures,
                    provenance: record)
            }
            if !farm.json { Terminal.print(lines: pictures + [record].compactMap(\.self)) }
        }
    }

    private var isUnpacked: Bool {
        NumberedPictures.fileType(of: output) != nil || StreamFolder.fileType(of: output) != nil
    }

    /// Downloads the archive of a film of numbered pictures or of a stream, and unpacks it.
    private func unpack() async throws {
        let archive = try ScratchFilm(in: try NumberedPictures.makeDirectory(of: output))
        defer { archive.remove() }
        let bytes = try await farm.client().download(id, to: archive.path)
        let format = try ArchiveFile(archive.path).format()
        if format.content == .stream {
            if numbering.startNumber != nil { throw StartNumber.isNotUsed }
            let count = try StreamFolder(output).unpack(archive.path, writing)
            if farm.json { return try Terminal.printJSON(Unpacked(export: id.text, output: output, bytes: bytes, files: count)) }
            return Terminal.print("\(output): \(count) files")
        }
        let count = try NumberedPictures(output, format, start: numbering.startNumber).unpack(archive.path, writing)
        if farm.json { return try Terminal.printJSON(Unpacked(export: id.text, output: output, bytes: bytes, frames: count)) }
        Terminal.print("\(output): \(count) pictures")
    }

    private struct Unpacked: Encodable {
        var export: String
        var output: String
        /// The size of the archive.
        var bytes: Int
        /// The number of pictures; nil for a stream.
        var frames: Int?
        /// The number of files of a stream; nil for pictures.
        var files: Int?
    }

    private struct Downloaded: Encodable {
        var export: String
        var output: String
        var bytes: Int
        /// The files beside the film; nil where it has none.
        var pictures: [String]?
        /// The file that says how the film was made; nil where it was not asked for.
        var provenance: String?
    }
}
