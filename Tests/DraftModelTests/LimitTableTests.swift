import DraftModel
import TestSupport
import Testing

@Suite("The table of a draft's limits")
struct LimitTableTests {
    private func n(_ number: Int) -> String { DocumentTable.text(number) }
    private func bytes(_ number: Int) -> String { "\(n(number)) bytes" }

    @Test("docs/draft.md lists every limit with its number")
    func table() throws {
        let expected = [
            ["depth of arrays and objects in one another", n(DraftLimits.jsonDepth)],
            ["name of a member of an object", bytes(DraftLimits.memberNameBytes)],
            ["entries of `parameters`", n(DraftLimits.parameters)],
            ["bytes that merge fields add to a draft", n(DraftLimits.filledInBytes)],
            [
                "condition (`when`); depth of its parentheses and negations",
                "\(bytes(DraftLimits.conditionBytes)); \(n(DraftLimits.conditionDepth))",
            ],
            ["`url`", bytes(DraftLimits.urlBytes)],
            ["`url` that is a `data:` address", bytes(DraftLimits.dataBytes)],
            [
                "`id`, font, name of an operation, of a plug-in, of one of its parameters, of a tag",
                bytes(DraftLimits.nameBytes),
            ],
            ["`title`, also of a chapter", bytes(DraftLimits.titleBytes)],
            ["`metadata`, names and values together", bytes(DraftLimits.metadataBytes)],
            ["`text` of a layer, a text that a plug-in is given", bytes(DraftLimits.textBytes)],
            ["`path` of a shape", bytes(DraftLimits.shapePathBytes)],
            ["all texts and paths of a draft", bytes(DraftLimits.allTextBytes)],
            ["clips of the main track", n(DraftLimits.clips)],
            ["`audioClips`", n(DraftLimits.audioClips)],
            ["`audioTracks`", n(DraftLimits.audioTracks)],
            ["names in `sourceMetadata`", n(DraftLimits.sourceTags)],
            ["layers, including layers in groups and masks", n(DraftLimits.layers)],
            ["depth of groups and masks in one another", n(DraftLimits.nesting)],
            ["paths of `morphTo`", n(DraftLimits.morphPaths)],
            ["stops of a gradient", n(DraftLimits.gradientStops)],
            ["`runs` of one text", n(DraftLimits.textRuns)],
            ["`effects`", n(DraftLimits.effects)],
            [
                "operations of one clip or layer; of a draft, with its audio filters, their bands and echoes",
                "\(n(DraftLimits.operations)); \(n(DraftLimits.allOperations))",
            ],
            [
                "audio filters of one sound or of the mix; bands or echoes of one",
                "\(n(DraftLimits.audioFilters)); \(n(DraftLimits.audioFilterParts))",
            ],
            ["parameters of one operation or plug-in", n(DraftLimits.operationParameters)],
            ["animations of one clip or layer", n(DraftLimits.animations)],
            ["keys of one animation, volume ramps of one clip or layer", n(DraftLimits.keyframes)],
            ["keys of a speed that changes", n(DraftLimits.speedKeys)],
            ["keys and volume ramps of a draft", n(DraftLimits.allKeyframes)],
            ["chapters", n(DraftLimits.chapters)],
            ["`fonts`", n(DraftLimits.fonts)],
            [
                "length of the main track with its effects (of the layers, without clips)",
                "\(n(DraftLimits.seconds)) s (\(DraftLimits.seconds / 3600) hours)",
            ],
            ["frames of the film", "\(n(DraftLimits.frames)) (12 hours at 60 a second, 3 at 240)"],
            ["time ranges that time effects cut the sound into", n(DraftLimits.soundIntervals)],
            ["time ranges of the main track (clips, overlaps) after all effects", n(DraftLimits.trackIntervals)],
            ["effects times the time ranges that each is applied to", n(DraftLimits.effectIntervals)],
            ["sounds, each repetition of a loop counted", n(DraftLimits.sounds)],
            ["layers, counted as below", n(DraftLimits.composedLayers)],
            ["sprites beside a film; height of one", "\(n(DraftLimits.sprites)); \(n(DraftLimits.spriteHeight)) pixels"],
            ["jobs of one export", n(DraftLimits.jobs)],
            ["diagnostics that are listed; more are only counted", n(DraftLimits.diagnostics)],
        ]
        #expect(try DocumentTable.rows(of: "docs/draft.md", below: "## Limits") == expected)
    }
}
