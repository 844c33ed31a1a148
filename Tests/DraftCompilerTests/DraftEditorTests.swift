import DraftCompiler
import DraftModel
import ExactTime
import ExportPlan
import Testing

/// Transactions of a draft editor, and the places of clips for display.
@Suite("Editing drafts")
struct DraftEditorTests {
    private static let facts = [
        "a": SourceFacts.film("a", seconds: Rational(10)), "b": SourceFacts.film("b", seconds: Rational(10)),
    ]

    private func editor(_ clips: [MainTrackClip] = [.film("a"), .film("b")]) throws -> DraftEditor {
        let sample = SampleDraft(clips, facts: DraftEditorTests.facts)
        return try DraftEditor(sample.draft, sample.compiler)
    }

    @Test("A change outside a transaction is checked by itself, and a refused one changes nothing")
    func single() throws {
        var editor = try editor()
        try editor.insert(.film("b", from: Rational(2), lasting: Rational(3)), at: 1)
        try editor.replaceClip(at: 0, with: .film("b"))
        try editor.removeClip(at: 2)
        #expect(editor.draft.mainTrackClips.map(\.url) == ["b", "b"])
        let before = editor.draft
        #expect(throws: DraftError.self) { try editor.insert(.film("a", from: Rational(11), lasting: Rational(3)), at: 0) }
        let unknown = #expect(throws: DraftError.self) { try editor.insert(.film("missing"), at: 0) }
        #expect(
            unknown?.diagnostics.contains { $0.message == "'missing' is a source that has not been probed" } == true)
        for index in [-1, 2] { #expect(throws: DraftError.self) { try editor.removeClip(at: index) } }
        #expect(throws: DraftError.self) { try editor.insert(.film("a"), at: 3) }
        #expect(editor.draft == before && editor.pending == nil)
    }

    @Test("A transaction may be invalid in between, and its changes are applied together or not at all")
    func transaction() throws {
        var editor = try editor()
        let before = editor.draft
        editor.beginChangeTransaction()
        // Between the two removals and the insertion the draft has no clips.
        try editor.removeClip(at: 0)
        try editor.removeClip(at: 0)
        #expect(editor.draft == before)
        let none = #expect(throws: DraftError.self) { try editor.removeClip(at: 0) }
        #expect(none?.diagnostics.map(\.message) == ["there are no clips"])
        #expect(throws: DraftError.self) { try editor.commitChange() }
        #expect(editor.draft == before && editor.pending?.mainTrackClips.isEmpty == true)
        try editor.insert(.film("b"), at: 0)
        try editor.commitChange()
        #expect(editor.draft.mainTrackClips.map(\.url) == ["b"] && editor.pending == nil)

        editor.beginChangeTransaction()
        try editor.change { $0.title = "New" }
        editor.cancelChangeTransaction()
        try editor.commitChange()
        #expect(editor.draft.title == nil && editor.pending == nil)
    }

    @Test("An invalid draft cannot be edited")
    func invalid() {
        #expect(throws: DraftError.self) { try editor([.film("a", from: Rational(11), lasting: Rational(3))]) }
    }

    @Test(
        "A suggested crop has the film's aspect ratio, is centred and touches two opposite edges",
        arguments: [
            ((1920, 1080), (1080, 1920), (656, 0, 608, 1080)), ((1920, 1080), (1920, 1080), (0, 0, 1920, 1080)),
            ((1080, 1920), (1920, 1080), (0, 656, 1080, 608)), ((640, 480), (1280, 720), (0, 60, 640, 360)),
            ((1, 5000), (16, 16), (0, 2499, 1, 1)),
        ])
    func crop(_ size: (Int, Int), _ film: (Int, Int), _ expected: (Int, Int, Int, Int)) {
        let crop = Rect.suggestedCrop(
            of: FrameSize(width: size.0, height: size.1), filling: FrameSize(width: film.0, height: film.1))
        let found = [crop.x, crop.y, crop.width, crop.height]
        #expect(found == [expected.0, expected.1, expected.2, expected.3].map { Rational($0) })
        #expect(crop.unit == .pixel)
    }

    @Test("A clip's place lists all segments that show it, also in transitions and after effects")
    func segments() throws {
        var sample = SampleDraft([.film("a"), .film("b").joined(Rational(1))], facts: DraftEditorTests.facts)
        var effect = Effect(type: .repetition)
        effect.timeRangeAtMainTrack = TimeRange(Rational(0), Rational(2))
        effect.count = 3
        for effects in [nil, [effect]] {
            sample.draft.effects = effects
            let composed = try sample.compile()
            let places = try sample.compiler.clipPlaces(of: sample.draft, composed)
            #expect(
                places.map(\.timeRangeAtMainTrack) == [
                    TimeRange(Rational(0), Rational(10)), TimeRange(Rational(9), Rational(19)),
                ])
            for (place, source) in zip(places, ["a", "b"]) {
                let hash = try #require(DraftEditorTests.facts[source]).contentHash
                let showing = composed.plan.videoSegments.filter { $0.slice.sources.contains(hash) }.map(\.key)
                #expect(place.segments == showing && !showing.isEmpty)
            }
            #expect(places[0].segments.last == places[1].segments.first, "the transition's")
        }
    }
}
