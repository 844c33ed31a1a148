import ArgumentParser
import CommandLineInterface
import DraftModel
import ExportPlan
import Provenance
import RenderingProcesses
import FoundationEssentials

/// `spool reproduce`: makes a film again from its provenance, and compares the bytes.
struct ReproduceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reproduce", abstract: "Render a film again from its provenance, and compare the bytes.",
        discussion: """
            Everything is rendered: no cache is used. The sources must have the content that the provenance names, and the \
            program the same version of the renderer. The exit code is 0 where the bytes are the same, and 65 otherwise. \
            The sources of a farm's film are found by their content in the folder, or else fetched from the farm.

              spool reproduce film.mp4.provenance.json
              spool reproduce film.mp4.provenance.json --folder drafts -o again.mp4
            """)

    @Argument(help: "The provenance, a JSON file.")
    var provenance: String

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp("Keep the new film under this name. Default: it is removed after the comparison.", valueName: "file"))
    var output: String?

    @Option(
        help: ArgumentHelp(
            "The directory that relative locations in the draft start from, or that has the files of a farm's film, under any "
                + "names. Default: the one that the film was made from.",
            valueName: "directory"))
    var folder: String?

    @OptionGroup var work: WorkOptions
    @OptionGroup var remote: RemoteOptions
    @OptionGroup var server: ServerOptions
    @OptionGroup var writing: OutputOptions

    @Flag(help: "Print the result as JSON.")
    var json = false

    private struct Summary: Encodable {
        var isSame: Bool
        var expected: FilmProvenance.File
        var found: FilmProvenance.File
        /// How many artifacts of the plan have other keys than in the provenance.
        var otherKeys: Int
    }

    func run() async throws { try await Interruption.run { try await reproduce() } }

    private func reproduce() async throws {
        let record = try FilmProvenance(at: provenance)
        guard record.program.renderer == rendererVersion else {
            throw CommandFailure(
                "the film was made by version \(record.program.renderer) of the renderer (spool \(record.program.version)), and this "
                    + "program has version \(rendererVersion), which may make other bytes; use that version of spool",
                status: ExitStatus.unavailable)
        }
        if let output { try writing.checkPlace(output) }
        // Nothing may come from a cache, so the film has an empty one, which goes with it.
        let scratch = try ScratchFilm(in: work.cacheDirectory + "/tmp")
        defer { scratch.remove() }
        var work = work
        work.cache = scratch.path + "-cache"
        let (base, files) = try await sources(of: record, fetchingTo: scratch.path + "-sources")
        let prepared = try await DraftPreparation(
            Data(record.draft.document.utf8), in: base, parameters: record.draft.parameters,
            settings: ExportSettings.aboutFilm(record.draft.settings), remotes: try remote.policy(), files: files, work,
            selection: DraftSelection(clip: record.draft.clip, hasFilters: !record.draft.withoutFilters))
        try check(record, prepared)
        if let output { try await prepared.check(outputs: [output], document: provenance) }
        let film = try await render(prepared, to: scratch.path)
        let known = Set(record.jobs.map(\.key))
        let summary = Summary(
            isSame: film.sha256 == record.film.sha256, expected: record.film, found: film,
            otherKeys: prepared.plan.jobs.count { !known.contains($0.key.text) })
        if let output { try keep(scratch.path, as: output) }
        if json { try Terminal.printJSON(summary) }
        guard summary.isSame else {
            throw CommandFailure(
                "the new film has the sha256 \(film.sha256), and '\(provenance)' says \(record.film.sha256); "
                    + (summary.otherKeys == 0
                        ? "the plan is the same, so compare the versions of the libraries, "
                            + (record.export == nil
                                ? "'program' there and 'spool --version'" : "'spool --version' on a worker and here")
                        : "\(summary.otherKeys) of \(prepared.plan.jobs.count) artifacts of the plan have other keys; use the version of "
                            + "spool that 'program' there names"),
                status: ExitStatus.badInput)
        }
        if !json { Terminal.print("\(record.film.name): the same \(film.byteCount) bytes, sha256 \(film.sha256)") }
    }

    /// The directory that relative locations start from, and the files that are found otherwise than by their locations.
    /// - Parameter directory: where files of a farm are put.
    private func sources(
        of record: FilmProvenance, fetchingTo directory: String
    ) async throws -> (base: String, files: [String: String]) {
        guard record.export != nil else { return (folder ?? record.draft.folder, [:]) }
        // A farm's draft has no relative locations. The fonts of a folder beside it were added when it was submitted, and
        // others must not be, so it starts from a directory without any.
        return (directory, try await RecordedSources(of: record, folder: folder, server).find(fetchingTo: directory))
    }

    /// - Throws: `CommandFailure`, exit code 65, that names each source and each font with another content.
    private func check(_ record: FilmProvenance, _ prepared: DraftPreparation) throws {
        let changed = record.sources.filter { prepared.locations[$0.location] != $0.sha256 }
        guard changed.isEmpty else {
            throw CommandFailure(
                changed.map { "'\($0.location)' does not have the content that the film was made of, sha256 \($0.sha256)" }
                    .joined(separator: "; ") + "; put the files back, or name their directory with --folder",
                status: ExitStatus.badInput)
        }
        let missing = Set(record.fonts).subtracting(prepared.fontsInUse).sorted { $0.name < $1.name }
        guard missing.isEmpty else {
            throw CommandFailure(
                missing.map { "the font \($0.name), sha256 \($0.sha256), is not here" }.joined(separator: "; ")
                    + "; install the fonts that the film was made with", status: ExitStatus.badInput)
        }
    }

    private func render(_ prepared: DraftPreparation, to path: String) async throws -> FilmProvenance.File {
        let bar = ProgressBar()
        let export = LocalExport(
            plan: prepared.plan, sources: prepared.sources, store: prepared.store, pool: prepared.pool)
        do {
            _ = try await export.run(to: path) { bar.show($0) }
            bar.end()
        } catch {
            bar.end()
            guard let failure = error as? JobFailure else { throw error }
            throw CommandFailure(failure, writing: [], places: prepared.places)
        }
        return try FilmProvenance.File(at: path)
    }

    /// Copies the film to the name that the user gave.
    private func keep(_ film: String, as output: String) throws {
        guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: film), options: .mappedIfSafe) else {
            throw CommandFailure("'\(film)' cannot be read any more", status: ExitStatus.temporaryFailure)
        }
        try writing.write(bytes, to: output)
    }
}
