import DraftCompiler
import DraftModel
import ExactTime
import ExportPlan
import TestSupport
import Testing

/// Fonts in drafts: the font requests, and the effect of their answers on keys.
@Suite("Fonts of texts and captions")
struct FontUseTests {
    private static let title = #"{"type": "text", "text": "Title", "font": "Serif 20"}"#

    private static func layers(_ sources: String...) -> String {
        let layers = sources.enumerated().map {
            #"{"timeRange": {"start": \#(8 * $0), "duration": 8}, "source": \#($1)}"#
        }
        return #""layers": [\#(layers.joined(separator: ", "))]"#
    }

    private func draft(_ fields: String) throws -> SampleDraft {
        try SampleDraft(
            json:
                #"{"version": 1, "videoSize": {"width": 640, "height": 360}, "frameRate": 10, "mainTrackClips": [], \#(fields)}"#,
            facts: ["words": .auxiliarySource("words", "srt", .captions), "own.ttf": .auxiliarySource("own", "font", .font)])
    }

    private func requests(_ sample: SampleDraft) -> [SourceUse] {
        SourceUse.all(in: sample.draft).filter { $0.need == .text }
    }

    @Test("Texts in one font share a request, and captions have their own, all with the draft's font files")
    func requests() throws {
        let uses = requests(
            try draft(
                FontUseTests.layers(
                    FontUseTests.title, #"{"type": "text", "text": "Plain"}"#,
                    #"{"type": "text", "text": "Again", "font": "Serif 20"}"#,
                    #"{"type": "captions", "url": "words", "style": {"font": "Mono 12"}}"#)
                    + #", "fonts": [{"url": "own.ttf"}]"#))
        #expect(uses.map(\.path) == ["layers[0].source.font", "layers[1].source.font", "layers[3].source.url"])
        let files = ["own.ttf"]
        #expect(uses[0].fonts == FontRequest(font: "Serif 20", texts: ["Again", "Title"], files: files))
        #expect(uses[1].fonts == FontRequest(font: "Sans 48", texts: ["Plain"], files: files))
        #expect(uses[2].fonts == FontRequest(font: "Mono 12", captions: "words", files: files))
        #expect(uses.allSatisfy { FontLocation.matches($0.url) && !$0.isFile })
    }

    /// The keys of a film with two texts of 8 s, which are drawn with font files of these names.
    private func keys(_ first: String, _ second: String) throws -> [ArtifactKey] {
        var sample = try draft(FontUseTests.layers(FontUseTests.title, #"{"type": "text", "text": "Z", "font": "Serif 20"}"#))
        for use in requests(sample) {
            let uses = [first, second].map { [FontFile(contentHash: SourceFacts.hash($0), name: $0)] }
            sample.facts[use.url] = SourceFacts(
                contentHash: SourceFacts.hash("all"), byteCount: 0, container: "fonts", origin: .zero, video: nil, audio: nil,
                fonts: FontFacts(uses: uses))
        }
        return try sample.plan().videoSegments.map(\.key)
    }

    @Test("Another version of a font changes the keys of the segments drawn with it, and no others")
    func versions() throws {
        let before = try keys("a", "b")
        #expect(try keys("a", "b") == before)
        let after = try keys("a", "c")
        let changed = zip(before, after).map { $0 != $1 }
        #expect(changed.first == false && changed.last == true)
    }

    @Test("The sources of a segment include the fonts that it is drawn with")
    func sources() throws {
        var sample = try draft(FontUseTests.layers(FontUseTests.title) + #", "fonts": [{"url": "own.ttf"}]"#)
        let own = try #require(sample.facts["own.ttf"]).contentHash
        for use in requests(sample) {
            sample.facts[use.url] = SourceFacts(
                contentHash: "all", byteCount: 0, container: "fonts", origin: .zero, video: nil, audio: nil,
                fonts: FontFacts(uses: [[FontFile(contentHash: own, name: "Own")]]))
        }
        #expect(try sample.plan().videoSegments.allSatisfy { $0.slice.sources == [own] })
    }

    @Test("A file that is not a font is an error, and so is a font request as a source")
    func faults() throws {
        let wrong = try draft(FontUseTests.layers(FontUseTests.title) + #", "fonts": [{"url": "words"}]"#).faults()
        #expect(wrong == [Fault("fonts[0].url", .invalidValue)])
        let forged = try draft(FontUseTests.layers(#"{"type": "image", "url": "font:0123"}"#)).faults()
        #expect(forged.contains(Fault("layers[0].source.url", .forbiddenSource)))
    }
}
