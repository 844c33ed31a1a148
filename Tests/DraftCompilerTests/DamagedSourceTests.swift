import DraftCompiler
import DraftModel
import ExactTime
import ExportPlan
import Testing
import FoundationEssentials

@Suite("Diagnostics for damaged sources")
struct DamagedSourceTests {
    private static let facts = ["a.mp4": SourceFacts.film("a.mp4"), "b.mp4": SourceFacts.film("b.mp4")]

    private func places(_ sample: SampleDraft, at time: Double, of source: String = "a.mp4") -> [String] {
        let hash = sample.facts[source]?.contentHash ?? ""
        let warning = SourceWarning(
            .frozenPictures, source: hash, time: time, count: 3, message: "could not be decoded at \(time) s")
        return sample.compiler.diagnostics(of: [warning], in: sample.draft).map(\.path)
    }

    @Test("Damage is reported at every clip that plays that time of the source, and at no other")
    func clips() {
        let sample = SampleDraft(
            [
                .film("a.mp4", from: Rational(0), lasting: Rational(2)), .film("b.mp4", lasting: Rational(2)),
                .film("a.mp4", from: Rational(1), lasting: Rational(2)),
            ], facts: DamagedSourceTests.facts)
        #expect(places(sample, at: 0.5) == ["mainTrackClips[0].url"])
        #expect(places(sample, at: 1.5) == ["mainTrackClips[0].url", "mainTrackClips[2].url"])
        #expect(places(sample, at: 2) == ["mainTrackClips[2].url"])
        // No clip plays this time. A decoder can meet it, because it starts at a keyframe before the clip.
        #expect(places(sample, at: 4) == ["mainTrackClips[0].url"])
        #expect(places(sample, at: 1, of: "b.mp4") == ["mainTrackClips[1].url"])
    }

    @Test("Damage over a range is reported at every clip that plays a part of it")
    func overlapping() throws {
        let sample = SampleDraft(
            [
                .film("a.mp4", from: Rational(0), lasting: Rational(1)), .film("a.mp4", from: Rational(1), lasting: Rational(1)),
                .film("a.mp4", from: Rational(2), lasting: Rational(1)), .film("a.mp4", from: Rational(3), lasting: Rational(1)),
            ], facts: DamagedSourceTests.facts)
        let hash = try #require(sample.facts["a.mp4"]).contentHash
        func clips(_ code: SourceWarning.Code, _ start: Double, _ end: Double) -> [String] {
            let warning = SourceWarning(code, source: hash, from: start, to: end, count: 9)
            return sample.compiler.diagnostics(of: [warning], in: sample.draft).map(\.path)
        }
        #expect(clips(.frozenPictures, 1.5, 2.2) == ["mainTrackClips[1].url", "mainTrackClips[2].url"])
        #expect(clips(.damagedPictures, 0.5, 3) == (0..<4).map { "mainTrackClips[\($0)].url" })
        // The end of damaged sound is exclusive, unlike that of damaged pictures.
        #expect(clips(.damagedSound, 0.5, 3) == (0..<3).map { "mainTrackClips[\($0)].url" })
    }

    @Test("Damage in a layer's source is reported at the layers that play it")
    func layers() throws {
        var sample = SampleDraft([.film("b.mp4")], facts: DamagedSourceTests.facts)
        var source = LayerSource(type: .video, url: "a.mp4")
        source.timeRange = TimeRange(start: MediaTime(seconds: 1), duration: MediaTime(seconds: 1))
        let layer = DraftLayer(timeRange: TimeRange(start: .zero, duration: MediaTime(seconds: 1)), source: source)
        var later = layer
        later.source?.timeRange = TimeRange(start: MediaTime(seconds: 2), duration: MediaTime(seconds: 1))
        sample.draft.layers = [layer, later]
        #expect(places(sample, at: 1.5) == ["layers[0].source.url"])
        #expect(places(sample, at: 2.5) == ["layers[1].source.url"])
    }

    @Test("Stored source places give the same diagnostics as the draft, also in the older format")
    func kept() throws {
        let sample = SampleDraft([.film("a.mp4", from: Rational(1), lasting: Rational(2))], facts: DamagedSourceTests.facts)
        let hash = try #require(sample.facts["a.mp4"]).contentHash
        let warning = SourceWarning(.frozenPictures, source: hash, from: 1.5, to: 2, count: 9)
        let places = SourcePlaces(of: sample.draft, facts: sample.facts)
        let kept = try JSONDecoder().decode(SourcePlaces.self, from: try JSONEncoder().encode(places))
        #expect(kept == places)
        #expect(kept.diagnostics(of: [warning]) == sample.compiler.diagnostics(of: [warning], in: sample.draft))
        let older = try JSONDecoder().decode(
            SourcePlaces.self, from: Data(#"{"\#(hash)": {"path": "mainTrackClips[4].url", "name": "a.mp4"}}"#.utf8))
        #expect(older.diagnostics(of: [warning]).map(\.path) == ["mainTrackClips[4].url"])
    }

    @Test("Damage is a warning with the source's name, what happened and a remedy")
    func words() throws {
        let sample = SampleDraft([.film("a.mp4")], facts: DamagedSourceTests.facts)
        let warning = SourceWarning(
            .damagedSound, source: try #require(sample.facts["a.mp4"]).contentHash, time: 1, count: 480,
            message: "could not be decoded")
        let told = sample.compiler.diagnostics(of: [warning], in: sample.draft)
        #expect(told.map(\.severity) == [.warning] && told.map(\.code) == [.damagedSource])
        #expect(told.first?.message == "'a.mp4' could not be decoded")
        #expect(
            told.first?.remedy
                == "replace the source by an undamaged copy, or leave out the damaged part with timeRange")
        var (undrawn, profile) = (warning, warning)
        (undrawn.code, profile.code) = (.undrawnInAnimation, .unusedProfile)
        #expect(
            sample.compiler.diagnostics(of: [undrawn], in: sample.draft).first?.remedy
                == "remove them, or render the animation to a video with transparency where it was made")
        #expect(
            sample.compiler.diagnostics(of: [profile], in: sample.draft).first?.remedy
                == "convert the picture to sRGB where it was made")
    }

    @Test("Damage in a source that the draft does not use is not reported")
    func unknown() {
        let sample = SampleDraft([.film("b.mp4")], facts: DamagedSourceTests.facts)
        #expect(places(sample, at: 1) == [])
    }
}
