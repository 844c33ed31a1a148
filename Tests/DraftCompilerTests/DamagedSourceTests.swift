import DraftCompiler
import DraftModel
import ExactTime
import ExportPlan
import Testing

@Suite("Damage in sources, told in the draft's terms")
struct DamagedSourceTests {
    private static let facts = ["a.mp4": SourceFacts.film("a.mp4"), "b.mp4": SourceFacts.film("b.mp4")]

    private func places(_ sample: SampleDraft, at time: Double, of source: String = "a.mp4") -> [String] {
        let hash = sample.facts[source]?.contentHash ?? ""
        let warning = SourceWarning(
            .frozenPictures, source: hash, time: time, count: 3, message: "could not be decoded at \(time) s")
        return sample.compiler.diagnostics(of: [warning], in: sample.draft).map(\.path)
    }

    @Test("it is told at every clip that plays that time of the source, and at no other")
    func clips() {
        let sample = SampleDraft(
            [
                .film("a.mp4", from: Rational(0), lasting: Rational(2)), .film("b.mp4", lasting: Rational(2)),
                .film("a.mp4", from: Rational(1), lasting: Rational(2)),
            ], facts: DamagedSourceTests.facts)
        #expect(places(sample, at: 0.5) == ["mainTrackClips[0].url"])
        #expect(places(sample, at: 1.5) == ["mainTrackClips[0].url", "mainTrackClips[2].url"])
        #expect(places(sample, at: 2) == ["mainTrackClips[2].url"])
        // Decoding begins at a keyframe before the clip's own time.
        #expect(places(sample, at: 4) == ["mainTrackClips[0].url"])
        #expect(places(sample, at: 1, of: "b.mp4") == ["mainTrackClips[1].url"])
    }

    @Test("it is a warning with the source's name, what happened and what to do")
    func words() throws {
        let sample = SampleDraft([.film("a.mp4")], facts: DamagedSourceTests.facts)
        let warning = SourceWarning(
            .damagedSound, source: try #require(sample.facts["a.mp4"]).contentHash, time: 1, count: 480,
            message: "could not be decoded")
        let told = sample.compiler.diagnostics(of: [warning], in: sample.draft)
        #expect(told.map(\.severity) == [.warning] && told.map(\.code) == [.damagedSource])
        #expect(told.first?.message == "'a.mp4' could not be decoded")
        #expect(told.first?.remedy?.isEmpty == false)
    }

    @Test("of a source that the draft does not use there is nothing to tell")
    func unknown() {
        let sample = SampleDraft([.film("b.mp4")], facts: DamagedSourceTests.facts)
        #expect(places(sample, at: 1) == [])
    }
}
