import ArgumentParser
import DraftModel
import ExportPlan
import ArtifactStore
import CommandLineInterface
import FoundationEssentials

/// `spool edit`: applies all of the given changes to a draft, or none if the result would not be valid.
struct EditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change a draft by a JSON Patch; nothing is written unless the changed draft is valid.",
        discussion: """
            The patch is an array as in RFC 6902:
              [{"op": "add", "path": "/mainTrackClips/1", "value": {"type": "av", "url": "intro.mp4"}},
               {"op": "replace", "path": "/mainTrackClips/0/volume", "value": 0.5},
               {"op": "remove", "path": "/effects/2"}]
            """)

    @OptionGroup var draft: DraftOptions
    @OptionGroup var work: WorkOptions
    @OptionGroup var writing: OutputOptions

    @Option(help: "The JSON Patch, a file; - reads it from standard input.")
    var patch: String

    @Option(
        name: [.customShort("o"), .long],
        help: "The file for the changed draft; may be the draft itself. Default: standard output."
    )
    var output: String?

    func validate() throws {
        if patch == "-", draft.draft == "-" { throw ValidationError("draft and patch cannot both come from standard input") }
    }

    func run() async throws {
        if let output { try writing.checkPlace(output) }
        let (document, folder) = try DraftPreparation.readDraft(draft.draft)
        let changed: Data
        do {
            changed = try DraftPatch(try DraftPreparation.readDraft(patch).0).apply(to: document)
        } catch let error as DraftError {
            let name = patch == "-" ? "the patch" : "'\(patch)'"
            throw CommandFailure(
                lines: error.diagnostics.errors.map { "error: \(name): \($0.path.isEmpty ? "" : $0.path + ": ")\($0.message)" },
                status: ExitStatus.badInput)
        }
        // Relative paths of sources start from the draft's own folder, wherever the result is written.
        let prepared = try await DraftPreparation(changed, in: folder, draft, work)
        guard let output else { return Terminal.print(document: changed) }
        // The result may replace the draft's own file, but none of the other files that the draft is made from.
        try await prepared.check(outputs: [output], document: nil)
        if patch != "-" { try OutputOptions.check([output], against: [.init(place: "the patch", path: patch)]) }
        try writing.write(changed + Data("\n".utf8), to: output)
        Terminal.print("\(output): \(prepared.composition.frameCount) frames, \(prepared.composition.duration) s")
    }
}
