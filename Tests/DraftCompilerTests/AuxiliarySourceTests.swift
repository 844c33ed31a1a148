import DraftCompiler
import DraftModel
import ExactTime
import ExportPlan
import TestSupport
import Testing
import Vocabulary

/// Lookup tables and captions: the places that name them, how they are lowered, and wrong files in those places.
@Suite("Auxiliary sources")
struct AuxiliarySourceTests {
    private static let facts: [String: SourceFacts] = [
        "film": .film("film"), "song": .sound("song"), "card": .picture("card"),
        "hald": .picture("hald", size: FrameSize(width: 216, height: 216)),
        "table": .auxiliarySource("table", "cube", .lookupTable),
        "words": .auxiliarySource("words", "srt", .captions), "script": .auxiliarySource("script", "ass", .captions),
    ]

    private func sample(_ clip: String, _ fields: String = "") throws -> SampleDraft {
        let further = fields.isEmpty ? "" : ", \(fields)"
        return try SampleDraft(
            json: #"{"version": 1, "videoSize": {"width": 640, "height": 360}, "mainTrackClips": [\#(clip)]\#(further)}"#,
            facts: AuxiliarySourceTests.facts)
    }

    private static let film = #"{"type": "av", "url": "film"}"#
    private static func hash(_ name: String) -> String { facts[name]?.contentHash ?? "" }

    private static func filtered(_ url: String) -> String {
        #"{"type": "av", "url": "film", "filters": [{"type": "sepia"}, {"type": "lut", "url": "\#(url)", "intensity": 0.5}]}"#
    }

    private static func captions(_ url: String, _ fields: String = "") -> String {
        #""layers": [{"timeRange": {"start": 2, "duration": 3}, "source": {"type": "captions", "url": "\#(url)"\#(fields)}}]"#
    }

    @Test("Each place that names a lookup table or captions is listed in document order")
    func uses() throws {
        let sample = try sample(
            AuxiliarySourceTests.filtered("table"),
            #"""
            "effects": [{"type": "lut", "url": "hald"}, {"type": "filter", "operation": {"type": "lut", "url": "table"}}],
            "layers": [{"timeRange": {"start": 0, "duration": 1}, "source": {"type": "captions", "url": "words"},
                        "operations": [{"type": "lut", "url": "hald"}]}]
            """#)
        let uses = SourceUse.all(in: sample.draft).filter(\.isFile)
        #expect(
            uses.map(\.path) == [
                "mainTrackClips[0].url", "mainTrackClips[0].filters[1].url", "effects[0].url", "effects[1].operation.url",
                "layers[0].source.url", "layers[0].operations[0].url",
            ])
        #expect(uses.map(\.need) == [.pictureOrSound, .lookupTable, .lookupTable, .lookupTable, .captions, .lookupTable])
    }

    @Test("An operation names its lookup table by content hash, and the slice needs it", arguments: ["table", "hald"])
    func tables(_ name: String) throws {
        let hash = AuxiliarySourceTests.hash(name)
        let plan = try sample(
            AuxiliarySourceTests.filtered(name), #""effects": [{"type": "lut", "url": "\#(name)", "intensity": 0.25}]"#
        )
        .plan()
        let slice = plan.videoSegments[0].slice
        let lut = { (intensity: Double) in Operation(name: "lut", parameters: ["intensity": .constant(intensity)], source: hash) }
        let layers = slice.instruction.layers
        #expect(layers.dropLast().last?.operations == [Operation(name: "sepia"), lut(0.5)])
        #expect(layers.last?.content == .adjustment && layers.last?.operations == [lut(0.25)])
        #expect(slice.sources == [AuxiliarySourceTests.hash("film"), hash])
    }

    @Test("Another lookup table or captions file changes the segment's key")
    func keys() throws {
        let plans = try ["table", "hald"].map { try sample(AuxiliarySourceTests.filtered($0)).plan() }
        #expect(plans[0].videoSegments[0].key != plans[1].videoSegments[0].key)
        let words = try ["words", "script"].map {
            try sample(AuxiliarySourceTests.film, AuxiliarySourceTests.captions($0)).plan()
        }
        #expect(words[0].videoSegments[0].key != words[1].videoSegments[0].key)
    }

    @Test("Captions begin and end with their layer and are as large as the frame")
    func lowered() throws {
        var sample = try sample(
            AuxiliarySourceTests.film,
            AuxiliarySourceTests.captions(
                "words", #", "style": {"font": "Serif 30", "verticalAlign": "top", "margin": {"x": 7}}"#)
        )
        sample.settings.preset = .size640x480
        sample.draft.videoSize = PixelSize(width: 1280, height: 720)
        let layer = try #require(try sample.compose().instructions.first?.layers.last)
        #expect(layer.timeRange == TimeRange(Rational(2), Rational(5)))
        guard case .captions(let captions) = layer.content else { throw DraftError([]) }
        #expect(captions.start == MediaTime(seconds: 2) && captions.source == AuxiliarySourceTests.hash("words"))
        #expect(captions.size == FrameSize(width: 640, height: 360) && captions.layoutSize == FrameSize(width: 1280, height: 720))
        #expect(captions.look?.font == "Serif 30" && captions.look?.verticalAlignment == .top)
        #expect(captions.look?.marginX == 7 && captions.look?.marginY == 36 && captions.look?.stroke?.width == 4)
        #expect(layer.sources == [captions.source])
        let own = try self.sample(AuxiliarySourceTests.film, AuxiliarySourceTests.captions("script")).compose()
        guard case .captions(let script)? = own.instructions.first?.layers.last?.content else { throw DraftError([]) }
        #expect(script.look == nil)
    }

    @Test(
        "A file of the wrong kind is one error that says what belongs there",
        arguments: [
            (filtered("film"), "", "mainTrackClips[0].filters[1].url", "is a video; a lookup table is expected"),
            (filtered("words"), "", "mainTrackClips[0].filters[1].url", "is a captions file; a lookup table is expected"),
            (filtered("card"), "", "mainTrackClips[0].filters[1].url", "is 800x600; a lookup picture is square"),
            (filtered("song"), "", "mainTrackClips[0].filters[1].url", "is sound; a lookup table"),
            (#"{"type": "av", "url": "table"}"#, "", "mainTrackClips[0].url", "is a lookup table; a video is expected"),
            (#"{"type": "image", "url": "words", "duration": 1}"#, "", "mainTrackClips[0].url", "a picture is expected"),
            (film, #""audioClips": [{"url": "table"}]"#, "audioClips[0].url", "sound is expected"),
            (film, #""background": {"type": "image", "url": "table"}"#, "background.url", "a picture is expected"),
            (film, #""effects": [{"type": "lut", "url": "song"}]"#, "effects[0].url", "a lookup table is expected"),
            (
                film,
                #""effects": [{"type": "imageSticker", "url": "words", "destRect": {"x": 0, "y": 0, "width": 9, "height": 9}}]"#,
                "effects[0].url", "a picture is expected"
            ),
            (film, captions("film"), "layers[0].source.url", "is a video; captions are expected: an SRT, WebVTT or ASS file"),
            (film, captions("table"), "layers[0].source.url", "is a lookup table; captions are expected"),
            (film, captions("script", #", "style": {"font": "Sans 20"}"#), "layers[0].source.style", "has its own styles"),
        ])
    func misplaced(clip: String, fields: String, path: String, message: String) throws {
        let found = try sample(clip, fields).diagnostics()
        #expect(found.map(\.path) == [path], "\(found)")
        #expect(found.first?.message.contains(message) == true, "\(found)")
    }

    @Test("A subtitle track changes only the stitch, and captions that are not drawn change no picture")
    func subtitleTracks() throws {
        let plain = try sample(AuxiliarySourceTests.film, AuxiliarySourceTests.captions("words")).plan()
        let both = try sample(
            AuxiliarySourceTests.film, AuxiliarySourceTests.captions("words", #", "subtitleTrack": {"language": "eng"}"#)
        ).plan()
        #expect(plain.stitch.subtitles == nil)
        #expect(both.videoSegments.map(\.key) == plain.videoSegments.map(\.key))
        #expect(both.stitch.key != plain.stitch.key && both.stitch.sources == [AuxiliarySourceTests.hash("words")])
        let wanted = SubtitleTrack(
            source: AuxiliarySourceTests.hash("words"), start: MediaTime(seconds: 2),
            timeRange: TimeRange(start: MediaTime(seconds: 2), duration: MediaTime(seconds: 3)), language: "eng")
        #expect(both.stitch.subtitles == [wanted])
        let bare = try sample(AuxiliarySourceTests.film).plan()
        let track = try sample(
            AuxiliarySourceTests.film, AuxiliarySourceTests.captions("words", #", "burnIn": false, "subtitleTrack": {}"#)
        ).plan()
        #expect(track.videoSegments.map(\.key) == bare.videoSegments.map(\.key))
        #expect(track.stitch.subtitles?.map(\.language) == ["und"])
    }

    @Test("Captions that are not drawn refuse drawing fields, and a group refuses subtitle tracks")
    func misplacedTracks() throws {
        let source = #"{"type": "captions", "url": "words", "burnIn": false, "subtitleTrack": {}}"#
        let range = #""timeRange": {"start": 0, "duration": 1}"#
        let moved = try sample(
            AuxiliarySourceTests.film,
            #""layers": [{\#(range), "source": \#(source), "opacity": 0.5, "transform": {"scale": 2}}]"#
        )
        #expect(Set(moved.faults()) == [Fault("layers[0].opacity", .conflict), Fault("layers[0].transform", .conflict)])
        let group = #"{"type": "group", "layers": [{\#(range), "source": \#(source)}]}"#
        let inside = try sample(AuxiliarySourceTests.film, #""layers": [{\#(range), "source": \#(group)}]"#)
        #expect(inside.faults() == [Fault("layers[0].source.layers[0].source.subtitleTrack", .conflict)])
    }

    @Test("A lut operation without a file is an error")
    func missing() throws {
        let found = try sample(#"{"type": "av", "url": "film", "filters": [{"type": "lut"}]}"#).faults()
        #expect(found == [Fault("mainTrackClips[0].filters[0].url", .missingField)])
    }
}

extension SourceFacts {
    static func auxiliarySource(_ name: String, _ container: String, _ kind: AuxiliarySourceKind) -> SourceFacts {
        var facts = SourceFacts.sound(name)
        facts.audio = nil
        facts.container = container
        facts.auxiliaryKind = kind
        return facts
    }
}
