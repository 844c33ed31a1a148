import ArgumentParser
import CommandLineInterface
import DraftModel

/// Options of the commands that can take a part of a draft.
struct ClipOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Take this clip of the main track alone, without transition, effects, layers and audio clips.",
            valueName: "id or index"))
    var clip: String?

    @Flag(help: "Leave the filters of the clips and of the main track out.")
    var noFilters = false

    var selection: DraftSelection { DraftSelection(clip: clip, hasFilters: !noFilters) }
}

/// The part of a draft that a command takes.
struct DraftSelection {
    /// The id or the index of the only clip; nil for all clips.
    var clip: String?
    var hasFilters = true

    /// - Throws: `CommandFailure`, exit code 64, for a clip that the draft does not have.
    func apply(to draft: Draft) throws -> Draft {
        let draft = hasFilters ? draft : draft.withoutFilters
        guard let clip else { return draft }
        if let alone = draft.alone(clip: clip) { return alone }
        let ids = draft.mainTrackClips.compactMap(\.id).prefix(20).joined(separator: ", ")
        throw CommandFailure(
            "the draft has no clip '\(clip)'; give the id of one\(ids.isEmpty ? "" : " (\(ids))"), or its index, as 'spool clips' "
                + "prints it", status: ExitStatus.usage)
    }
}
