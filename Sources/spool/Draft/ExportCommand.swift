import ArgumentParser
import ArtifactStore
import CommandLineInterface
import DraftModel
import ExactTime
import ExportPlan
import Provenance
import RenderingProcesses
import Vocabulary
import FoundationEssentials

/// `spool export`: makes the film on this machine, without a server.
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Render a draft into a film on this machine.",
        discussion: "Segments that an earlier export left in the cache are not rendered again; the longest unused ones go.")

    @OptionGroup var draft: DraftOptions
    @OptionGroup var clips: ClipOptions
    @OptionGroup var work: WorkOptions
    @OptionGroup var cacheLimit: CacheLimit
    @OptionGroup var writing: OutputOptions

    @Option(name: [.customShort("o"), .long], help: "\(ExportCommand.outputHelp)")
    var output: String

    @OptionGroup var numbering: StartNumber

    @Flag(help: "Export again whenever the draft or one of its files changes, until it is stopped.")
    var watch = false

    @Flag(help: "Write how the film was made into a file beside it, for 'spool verify' and 'spool reproduce'.")
    var provenance = false

    @Flag(help: "Print the result as JSON.")
    var json = false

    /// The file types by what they hold.
    private static var outputHelp: String {
        let kinds: [(ContainerFormat.Content, String)] = [
            (.film, ""), (.sound, "; sound alone: "), (.animation, "; pictures alone: "),
        ]
        let lists = kinds.map { content, words in
            words
                + FormatCatalogue.containers.filter { $0.content == content }.map { ".\($0.type)" }.joined(separator: ", ")
        }
        return
            "The file to write: \(lists.joined()); or numbered pictures, as frames/%05d.png, .jpg, .tif or .webp; "
            + "or a stream in HLS and DASH, as stream/film.m3u8. "
            + "- writes to standard output, MP4 unless fileType is set."
    }

    func validate() throws {
        if output == "-", json { throw ValidationError("--json and -o - would both write to standard output; leave one out") }
        if provenance, output == "-" || ExportCommand.isUnpacked(output, fileType: nil) {
            throw ValidationError("--provenance writes a file beside one film; name a film with -o")
        }
        guard watch else { return }
        if output == "-" { throw ValidationError("--watch replaces a file again and again; name one with -o") }
        if draft.draft == "-" { throw ValidationError("--watch looks at the draft's file; name it instead of -") }
        if writing.noOverwrite { throw ValidationError("--watch replaces the film that --no-overwrite keeps; leave one out") }
    }

    func run() async throws {
        try await Interruption.run {
            guard watch else { return try await export() }
            let files = WatchedFiles(draft)
            try await RepeatedExport(of: { files.now() }) { try await export() }.run()
        }
    }

    /// Exports without handling signals.
    func export() async throws {
        let began = (clock: ContinuousClock.now, date: Date())
        // Every export needs a rendering process, for the stitch at the least.
        try await work.withEarlyProcessIfCached { pool in try await export(in: pool, began: began) }
    }

    /// - Parameter pool: the rendering processes; nil for some that start when they are needed.
    private func export(in pool: ChildPool?, began: (clock: ContinuousClock.Instant, date: Date)) async throws {
        var options = draft
        let fileType =
            NumberedPictures.fileType(of: output) ?? StreamFolder.fileType(of: output)
            ?? FormatCatalogue.container(ofSuffix: OutputOptions.suffix(of: output))?.type
        let set = options.export.settings.last { $0.hasPrefix("fileType=") }?.dropFirst("fileType=".count)
        // The name of the file counts before a file of settings.
        let said = try set.map(String.init) ?? (fileType == nil ? options.export.settingValues()["fileType"] : nil)
        let isSaid = said != nil
        if let fileType, !isSaid { options.export.settings.append("fileType=\(fileType)") }
        if ExportCommand.isUnpacked(output, fileType: said) {
            if provenance {
                throw CommandFailure(
                    "--provenance writes a file beside one film, and '\(output)' has several; name an archive such as film.tar",
                    status: ExitStatus.usage)
            }
            return try await exportFiles(options, pool, since: began.clock)
        }
        let isFile = output != "-"
        if isFile { try writing.checkPlace(output) } else { try OutputOptions.checkStandardOutput() }
        let prepared = try await DraftPreparation(
            options, work, selection: clips.selection, cacheLimit: try cacheLimit.bytes(), pool: pool)
        let streamed = isFile ? nil : try ScratchFilm(in: prepared.store.directory + "/tmp")
        defer { streamed?.remove() }
        let film = streamed?.path ?? output
        let pictures = prepared.plan.files(beside: film).map(\.name)
        if isFile {
            let beside = pictures + (provenance ? [output + FilmProvenance.suffix] : [])
            for file in beside { try writing.checkPlace(file) }
            try await prepared.check(outputs: [output] + beside, document: draft.draft)
            guard fileType != nil || isSaid else { throw ExportCommand.unknownType(of: output) }
            let format = prepared.plan.stitch.container.fileType.format
            if format.isArchive, OutputOptions.suffix(of: output).lowercased() != ContainerFormat.archiveSuffix {
                _ = try files(format)
            }
        } else if !pictures.isEmpty {
            throw CommandFailure(
                "standard output has room for the film alone; leave posterTime and spriteInterval out, or name a file with -o",
                status: ExitStatus.usage)
        }
        if numbering.startNumber != nil { throw StartNumber.isNotUsed }
        let (outcome, progress) = try await render(prepared, to: film)
        if provenance {
            let record = try await FilmProvenance(of: film, prepared, outcome.jobSeconds, began: began.date)
            try writing.write(try record.text(), to: output + FilmProvenance.suffix)
        }
        if let streamed {
            try streamed.send()
            prepared.limitCache(isQuiet: json)
            return try Warnings(isStrict: draft.strict).tell(prepared.diagnostics(outcome.warnings))
        }
        let removed = prepared.limitCache(isQuiet: json)
        let found = prepared.diagnostics(outcome.warnings)
        try summarize(prepared, progress, outcome, removed, prepared.warnings + found, since: began.clock)
        try Warnings(isStrict: draft.strict).tell(found)
    }

    /// Whether an output names the files of a film that is an archive.
    private static func isUnpacked(_ output: String, fileType said: String?) -> Bool {
        NumberedPictures.areNamed(by: output, fileType: said) || StreamFolder.isNamed(by: output, fileType: said)
    }

    /// The files that the output names.
    /// - Throws: `CommandFailure` for an output that names one file.
    private func files(_ format: ContainerFormat) throws -> any UnpackedFiles {
        guard format.content == .stream else { return try NumberedPictures(output, format, start: numbering.startNumber) }
        if numbering.startNumber != nil { throw StartNumber.isNotUsed }
        return try StreamFolder(output)
    }

    /// Exports numbered pictures or a stream: the film, which is the archive of the files, is made in the cache and unpacked.
    private func exportFiles(
        _ options: DraftOptions, _ pool: ChildPool?, since began: ContinuousClock.Instant
    ) async throws {
        let prepared = try await DraftPreparation(
            options, work, selection: clips.selection, cacheLimit: try cacheLimit.bytes(), pool: pool)
        let format = prepared.plan.stitch.container.fileType.format
        let names = try files(format)
        _ = try NumberedPictures.makeDirectory(of: output)
        let outputs = names.paths(of: prepared.plan)
        for name in outputs { try writing.checkPlace(name) }
        try await prepared.check(outputs: outputs, document: draft.draft)
        let archive = try ScratchFilm(in: prepared.store.directory + "/tmp")
        defer { archive.remove() }
        let (outcome, progress) = try await render(prepared, to: archive.path)
        _ = try names.unpack(archive.path, writing)
        let removed = prepared.limitCache(isQuiet: json)
        let found = prepared.diagnostics(outcome.warnings)
        try summarize(prepared, progress, outcome, removed, prepared.warnings + found, since: began)
        try Warnings(isStrict: draft.strict).tell(found)
    }

    /// Renders a film and shows the progress.
    private func render(
        _ prepared: DraftPreparation, to film: String
    ) async throws -> (outcome: LocalExport.Outcome, progress: LocalExport.Progress) {
        let bar = ProgressBar()
        let export = LocalExport(
            plan: prepared.plan, sources: prepared.sources, store: prepared.store, pool: prepared.pool,
            costs: prepared.costs)
        do {
            let outcome = try await export.run(to: film, replacing: !writing.noOverwrite) { bar.show($0) }
            bar.end()
            return (outcome, bar.last)
        } catch {
            bar.end()
            prepared.limitCache(isQuiet: json)
            guard let failure = error as? JobFailure else { throw error }
            throw CommandFailure(failure, writing: [output], places: prepared.places)
        }
    }

    /// The failure for a name that does not say which type of file to write.
    static func unknownType(of output: String) -> CommandFailure {
        let names =
            FormatCatalogue.containers.filter { !$0.isArchive }.map { ".\($0.type)" }.joined(separator: ", ")
        return CommandFailure(
            "'\(output)' does not say which type of file to write: end it with one of \(names), or set it, as in "
                + "--set fileType=mp4", status: ExitStatus.usage)
    }

    /// - Parameters:
    ///   - removed: the bytes that went from the cache.
    ///   - began: when the export began.
    private func summarize(
        _ prepared: DraftPreparation, _ progress: LocalExport.Progress, _ outcome: LocalExport.Outcome, _ removed: Int64,
        _ warnings: [DraftDiagnostic], since began: ContinuousClock.Instant
    ) throws {
        let elapsed = began.duration(to: .now) / .seconds(1)
        var seconds = outcome.cost
        seconds.usage = nil
        let summary = ExportSummary(
            output: output, width: prepared.composition.canvas.width, height: prepared.composition.canvas.height,
            frameRate: prepared.composition.frameRate.description, frames: prepared.plan.stitch.frameCount,
            pictures: prepared.plan.pictures == nil ? nil : prepared.plan.files(beside: output).map(\.name),
            samples: prepared.plan.soundtrack?.sampleCount ?? 0, segments: prepared.plan.videoSegments.count,
            rendered: progress.segmentsToRender, copied: prepared.plan.stitch.copied,
            elapsed: (elapsed * 1000).rounded() / 1000, seconds: seconds,
            memory: ExportSummary.Memory(predicted: outcome.predictedMemory, measured: outcome.cost.usage?.memory),
            removedFromCache: removed)
        if json {
            try Terminal.printJSON(WithWarnings(summary, warnings))
        } else if let copied = prepared.plan.stitch.copied {
            let encoded = summary.frames - copied.frameCount
            Terminal.print(
                "\(output): \(summary.width)x\(summary.height), \(summary.frames) frames; \(copied.copiedStreams) copied from "
                    + copied.ranges.map { $0.text(prepared.sourceNames) }.joined(separator: ", ")
                    + (encoded > 0
                        ? "; \(encoded) frames outside whole groups of pictures encoded again"
                        : "; nothing of it was encoded again"))
        } else if let soundtrack = prepared.plan.soundtrack, prepared.plan.videoSegments.isEmpty {
            Terminal.print("\(output): \(summary.samples) samples at \(soundtrack.encode.sampleRate) Hz")
        } else {
            Terminal.print(
                "\(output): \(summary.width)x\(summary.height), \(summary.frames) frames at \(summary.frameRate) a second, "
                    + "\(summary.rendered) of \(summary.segments) segments rendered")
        }
        guard !json else { return }
        Terminal.print(lines: summary.pictures ?? [])
        if watch { Terminal.print("it took \(Phrase.seconds(elapsed))") }
    }
}

private struct ExportSummary: Encodable {
    var output: String
    var width: Int
    var height: Int
    var frameRate: String
    /// The number of frames in the draft; a film of sound alone contains none of them.
    var frames: Int
    /// The files beside the film; nil where it has none.
    var pictures: [String]?
    var samples: Int
    var segments: Int
    /// The number of segments that were not in the cache.
    var rendered: Int
    /// The copied ranges of the film.
    var copied: CopiedFilm?
    /// Seconds from the start of the export to its end.
    var elapsed: Double
    /// The time that the rendering processes spent on each step.
    var seconds: JobCost
    /// The memory of the largest job, in bytes.
    var memory: Memory
    /// The bytes of artifacts that were removed after the export, because of the limit of the cache.
    var removedFromCache: Int64

    struct Memory: Encodable {
        var predicted: Int64
        /// Nil where the system does not let a process measure each of its jobs.
        var measured: Int64?
    }
}
