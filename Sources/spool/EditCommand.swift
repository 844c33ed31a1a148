import ArgumentParser
import DraftModel
import ExportPlan
import OwnedFiles

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `spool edit`: changes to a draft, all or none, and only when it is valid with them.
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

    @Option(help: "The JSON Patch, a file; - reads it from standard input.")
    var patch: String

    @Option(
        name: [.customShort("o"), .long], help: "Where the changed draft goes; may be the draft itself. Default: standard output."
    )
    var output: String?

    func validate() throws {
        if patch == "-", draft.draft == "-" { throw ValidationError("draft and patch cannot both come from standard input") }
    }

    func run() async throws {
        let (document, folder) = try DraftPreparation.readDraft(draft.draft)
        let changed: Data
        do {
            changed = try DraftPatch(try DraftPreparation.readDraft(patch).0).apply(to: document)
        } catch let error as DraftError {
            throw CommandFailure("\(patch == "-" ? "the patch" : "'\(patch)'"): \(error)", status: ExitStatus.badInput)
        }
        // Its sources lie where the draft's own lie, wherever the result goes.
        let prepared = try await DraftPreparation(changed, in: folder, draft, work)
        guard let output else { return print(String(decoding: changed, as: UTF8.self)) }
        let partial = PartialFile(of: output)
        defer { partial.remove() }
        do {
            try (changed + Data("\n".utf8)).write(to: URL(fileURLWithPath: partial.path))
        } catch {
            throw CommandFailure("'\(output)' cannot be written", status: ExitStatus.tryAgain)
        }
        guard partial.complete() else { throw CommandFailure("'\(output)' cannot be written", status: ExitStatus.tryAgain) }
        print("\(output): \(prepared.composition.frameCount) frames, \(prepared.composition.duration) s")
    }
}
