import DraftCompiler
import DraftModel
import ExactTime
import ExportPlan
import TestSupport
import Testing
import Vocabulary

@Suite("Ranges that end after their source")
struct ShortenedRangeTests {
    private let facts = ["a": SourceFacts.film("a"), "m": SourceFacts.sound("m"), "i": SourceFacts.picture("i")]

    private func warnings(_ sample: SampleDraft) throws -> [DraftDiagnostic] {
        try sample.compiler.compile(sample.draft).warnings
    }

    @Test("A clip, an audio clip and a layer that outlast their source are shortened with a warning")
    func shortened() throws {
        var sample = SampleDraft([.film("a", from: Rational(4), lasting: Rational(20))], facts: facts)
        sample.draft.audioClips = [.sound("m") { $0.timeRange = TimeRange(Rational(9), Rational(11)) }]
        var source = LayerSource(type: .video, url: "a")
        source.timeRange = TimeRange(Rational(8), Rational(12))
        sample.draft.layers = [DraftLayer(timeRange: TimeRange(.zero, Rational(5)), source: source)]
        let warnings = try warnings(sample)
        #expect(
            Set(warnings.map(\.path)) == ["mainTrackClips[0].timeRange", "audioClips[0].timeRange", "layers[0].source.timeRange"])
        #expect(warnings.allSatisfy { $0.code == .shortenedRange && $0.severity == .warning })
        let first = try #require(warnings.first { $0.path.hasPrefix("main") })
        #expect(first.message.contains("24") && first.message.contains("'a' is 10 s long"), "\(first.message)")
        #expect(first.remedy?.contains("6 s") == true)
        #expect(try sample.compose().duration == MediaTime(seconds: 6))
    }

    @Test("A range that ends less than a millisecond after its source gives no warning")
    func exact() throws {
        #expect(try warnings(SampleDraft([.film("a", from: Rational(4), lasting: Rational(6))], facts: facts)).isEmpty)
        #expect(
            try warnings(SampleDraft([.film("a", from: Rational(4), lasting: Rational(60_005, 10_000))], facts: facts)).isEmpty)
        #expect(
            try warnings(SampleDraft([.film("a", from: Rational(4), lasting: Rational(6_002, 1000))], facts: facts)).count == 1)
        #expect(try warnings(SampleDraft([.film("a")], facts: facts)).isEmpty)
    }

    @Test("Empty locations in drafts made by code are errors")
    func emptyLocations() {
        var sample = SampleDraft([.film(""), .film("a").joined(by: .lumaMap, Rational(1))], facts: facts)
        sample.draft.mainTrackClips[1].transition?.url = " "
        sample.draft.audioClips = [AudioClip(url: "")]
        sample.draft.cover = DraftCover(url: "")
        sample.draft.fonts = [DraftFont(url: "")]
        sample.draft.background = Background(type: .image, url: "")
        sample.draft.layers = [
            DraftLayer(timeRange: TimeRange(.zero, Rational(1)), source: LayerSource(type: .captions, url: ""))
        ]
        #expect(
            Set(sample.faults()) == [
                Fault("mainTrackClips[0].url", .invalidValue), Fault("mainTrackClips[1].transition.url", .invalidValue),
                Fault("audioClips[0].url", .invalidValue), Fault("cover.url", .invalidValue),
                Fault("fonts[0].url", .invalidValue),
                Fault("background.url", .invalidValue), Fault("layers[0].source.url", .invalidValue),
            ])
    }
}
