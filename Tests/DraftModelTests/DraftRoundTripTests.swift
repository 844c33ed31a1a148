import DraftModel
import ExactTime
import TestSupport
import Testing
import Vocabulary
import FoundationEssentials

@Suite("Reading and writing drafts")
struct DraftRoundTripTests {
    /// Every field of this version, each with a value that is not its default.
    private static let full = """
        {
          "version": 1, "id": "d1", "title": "Holiday", "metadata": {"artist": "A", "comment": "1/2"},
          "videoSize": {"width": 1280, "height": 720}, "frameRate": "30000/1001",
          "background": {"type": "blur", "radius": 12.5}, "timeRange": {"start": 0.1, "duration": "25/2"},
          "mainTrackClips": [
            {"id": "a", "type": "av", "url": "beach.mp4", "timeRange": {"start": 2, "duration": 5}, "speed": 1.5,
             "reverse": true, "volume": 0.6, "muted": false, "timePitchAlgorithm": "varispeed", "pitch": -2.5,
             "volumeRamps": [{"timeRange": {"start": 0, "duration": 1}, "startVolume": 0, "endVolume": 1}],
             "preferredTransform": {"rotation": 90, "mirrored": true},
             "cropRect": {"x": 0.1, "y": 0, "width": 0.5, "height": 1, "unit": "ratio"},
             "scalingMode": "aspectFill", "opacity": 0.25,
             "transform": {"center": {"x": 0.25, "y": 0.75}, "scale": {"x": 2, "y": -1}, "rotation": 30, "anchor": {"x": 0, "y": 1}}},
            {"id": "b", "type": "image", "url": "card.png", "duration": "1001/1000",
             "cropRect": {"x": 1, "y": 2, "width": 3, "height": 4},
             "transition": {"type": "slideLeft", "duration": 0.5, "audio": "equalPower"}},
            {"type": "av", "url": "sea.mp4", "durationAtMainTrack": 3, "videoStream": 2, "audioStream": "deu"}
          ],
          "audioClips": [
            {"url": "music.m4a", "startTimeAtMainTrack": 1.25, "timeRange": {"start": 0, "duration": 8}, "speed": 2,
             "volume": 8, "volumeRamps": [{"timeRange": {"start": 1, "duration": 1}, "startVolume": 1, "endVolume": 0}],
             "audioStream": 1, "fadeIn": 0.5, "fadeOut": 1, "pitch": 24, "timePitchAlgorithm": "spectral", "loop": true, "duck": 1}
          ],
          "layers": [
            {"id": "pip", "timeRange": {"start": 1, "duration": 2}, "layerLevel": 3,
             "source": {"type": "video", "url": "b.mp4", "videoStream": 1, "audioStream": "eng", "timeRange": {"start": 0, "duration": 4}, "speed": 2, "reverse": true,
             "loop": true}, "transform": {"fit": {"rect": {"x": 0, "y": 0, "width": 1, "height": 0.5, "unit": "ratio"}, "mode": "aspectFill"}},
             "cropRect": {"x": 1, "y": 2, "width": 3, "height": 4}, "opacity": 0.5, "blendMode": "screen",
             "transitionIn": {"type": "lumaMap", "duration": 0.25, "url": "map.png", "softness": 0.5, "inverted": true, "audio": "cut"},
             "transitionOut": {"type": "radial", "duration": "1/3"},
             "operations": [{"type": "sepia"}], "audio": {"volume": 0.5, "pitch": 2},
             "animations": [{"keyPath": "operations[0].amount", "keyTimes": [0, 1], "values": [0, 1]}]},
            {"timeRange": {"start": 0, "duration": 1}, "source": {"type": "text", "text": "Hello", "font": "Sans 20",
             "color": "#FF0000", "align": "left", "box": {"width": 100, "height": 50}, "fitBox": true, "lineSpacing": 1.2, "letterSpacing": 2,
             "stroke": {"color": "#000000", "width": 2}, "shadow": {"color": "#00000080", "offset": {"x": 1, "y": 2}, "blur": 3},
             "backgroundBox": {"color": "#FFFFFF", "padding": 4, "cornerRadius": 5}}},
            {"timeRange": {"start": 0, "duration": 1}, "source": {"type": "text", "runs": [{"text": "Hel"}, {"text": "lo", "font": "Bold 30",
             "color": "#FF0000", "backgroundColor": "#00FF0080", "stroke": {"color": "#000000", "width": 1}, "letterSpacing": 2,
             "underline": true, "strikethrough": false, "baselineOffset": -3.5, "script": "superscript"}]}},
            {"timeRange": {"start": 0, "duration": 1}, "source": {"type": "shape", "shape": "rect",
             "size": {"width": 10, "height": 20}, "cornerRadius": 3, "gradient": {"type": "radial", "stops": [{"color": "#123456", "location": 0.25}, {"color": "#654321", "location": 1}],
                "startPoint": {"x": 0.25, "y": 0.5}, "endPoint": {"x": 1, "y": 2}}, "stroke": {"color": "#654321", "width": 1, "trim": {"start": 0.25, "end": 0.5, "offset": -1}}}},
            {"timeRange": {"start": 0, "duration": 1}, "source": {"type": "shape", "shape": "path", "size": {"width": 10, "height": 20},
             "path": "M0 0H9", "morphTo": ["M0 0H8", "M0 0H7"], "morph": 1.5}},
            {"timeRange": {"start": 0, "duration": 1}, "source": {"type": "group", "size": {"width": 320, "height": 180},
             "layers": [{"timeRange": {"start": 0, "duration": 1}, "source": {"type": "solid", "color": "#00FF00"}}]}, "audio": {"volume": 0.5, "pan": -1,
             "volumeRamps": [{"timeRange": {"start": 0, "duration": 1}, "startVolume": 0, "endVolume": 1}]},
             "audioFilters": [{"type": "gate", "ratio": 4}]},
            {"timeRange": {"start": 0, "duration": 1}, "operations": [{"type": "invert"}]}
          ],
          "effects": [
            {"type": "filter", "operation": {"type": "sepia", "amount": 0.5}, "timeRangeAtMainTrack": {"start": 0, "duration": 1}},
            {"type": "externalFilter", "name": "glow", "parameters": {"Blur": 0.5, "on": true, "tint": "#FF0000", "at": {"x": 0.25, "y": 1}}},
            {"type": "filter", "operation": {"type": "externalFilter", "name": "sobel"}},
            {"type": "imageSticker", "url": "logo.gif", "destRect": {"x": 10, "y": 10, "width": 64, "height": 64}}
          ],
          "audioTracks": [{"language": "eng", "title": "English", "mix": ["a", "b"]}, {"without": ["pip"]}],
          "sourceMetadata": ["title", "make"],
          "audio": {"limiter": false}, "parameters": {}
        }
        """

    @Test("A draft with every field is read without a fault")
    func everyField() throws {
        let (read, diagnostics) = Draft.read(Self.full)
        #expect(diagnostics.isEmpty)
        let draft = try #require(read)
        #expect(draft.frameRate?.framesPerSecond == Rational(30000, 1001))
        #expect(draft.timeRange == TimeRange(start: MediaTime(Rational(1, 10)), duration: MediaTime(Rational(25, 2))))
        #expect(draft.background == Background(type: .blur, radius: 12.5))
        #expect(draft.metadata == ["artist": "A", "comment": "1/2"])
        let clip = draft.mainTrackClips[0]
        #expect(clip.speed == .constant(Rational(3, 2)))
        #expect(clip.preferredTransform == PreferredTransform(rotation: 90, mirrored: true))
        #expect(clip.cropRect?.x == Rational(1, 10))
        #expect(clip.muted == false)
        #expect(draft.mainTrackClips[1].duration == MediaTime(Rational(1001, 1000)))
        #expect(
            draft.mainTrackClips[1].transition
                == Transition(type: .slideLeft, duration: MediaTime(Rational(1, 2)), audio: .equalPower))
        #expect(draft.audioClips?.first?.startTimeAtMainTrack == MediaTime(Rational(5, 4)))
    }

    @Test("A draft is equal after writing and reading it")
    func roundTrip() throws {
        let draft = try #require(Draft.read(Self.full).draft)
        let written = try JSONEncoder().encode(draft)
        let (again, diagnostics) = Draft.read(written)
        #expect(diagnostics.isEmpty)
        #expect(again == draft)
        #expect(try JSONDecoder().decode(Draft.self, from: written) == draft)
    }

    @Test("A draft is written without any defaults filled in")
    func noDefaults() throws {
        let draft = try #require(Draft.read(#"{"version": 1, "mainTrackClips": [{"type": "av", "url": "a.mp4"}]}"#).draft)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let written = String(decoding: try encoder.encode(draft), as: UTF8.self)
        #expect(written == #"{"mainTrackClips":[{"type":"av","url":"a.mp4"}],"version":1}"#)
    }

    @Test("A null field counts as absent")
    func null() throws {
        let (draft, diagnostics) = Draft.read(DraftText.withClip(#""speed": null, "transition": null"#))
        #expect(diagnostics.isEmpty)
        #expect(draft == Draft.read(DraftText.with("")).draft)
    }

    @Test("A volume is read back with all its bits")
    func volumes() throws {
        var numbers = RandomNumbers(seed: 1)
        var changed: [String] = []
        for _ in 0..<200 {
            var draft = try #require(Draft.read(DraftText.with("")).draft)
            let volume = Double.random(in: 0.01...8, using: &numbers)
            draft.mainTrackClips[0].volume = volume
            let again = Draft.read(try JSONEncoder().encode(draft)).draft?.mainTrackClips[0].volume
            if again != volume { changed.append("\(volume) became \(String(describing: again))") }
        }
        #expect(changed.isEmpty, "\(changed.count) changed, first \(changed.first ?? "")")
    }

    @Test("A colour is read with or without alpha and written in capitals")
    func colors() {
        #expect(Color(hex: "#ff8000") == Color(red: 255, green: 128, blue: 0))
        #expect(Color(hex: "#01020380") == Color(red: 1, green: 2, blue: 3, alpha: 128))
        #expect(Color(red: 255, green: 128, blue: 0).hex == "#FF8000")
        #expect(Color(red: 1, green: 2, blue: 3, alpha: 4).hex == "#01020304")
        for text in ["", "#", "ff8000", "#ff800", "#ff80001", "#ff80000g", "#ff8000000", "red", "#-12345", "#+12345"] {
            #expect(Color(hex: text) == nil, "\(text)")
        }
    }

    @Test("Decoding a faulty draft throws all faults together")
    func decodingError() throws {
        let text = #"{"version": 2, "mainTrackClips": [{"type": "av"}]}"#
        let error = #expect(throws: DraftError.self) { try JSONDecoder().decode(Draft.self, from: Data(text.utf8)) }
        #expect(error?.diagnostics == Draft.read(text).diagnostics)
        #expect(error?.diagnostics.count == 2)
    }
}
