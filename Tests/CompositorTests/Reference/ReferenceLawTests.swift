import DraftModel
import ExportPlan
import TestSupport
import Testing
import Vocabulary

/// Laws that whole drafts obey: two ways of saying the same thing draw the same picture.
@Suite struct ReferenceLawTests {
    private func draft(layers: String, effects: String = "", clips: String = "") -> String {
        let clip = clips.isEmpty ? #"{"type": "image", "url": "card.png", "duration": 0.4, "scalingMode": "fill"}"# : clips
        return """
            {"version": 1, "videoSize": {"width": 96, "height": 64}, "frameRate": 25, "mainTrackClips": [\(clip)],
             "effects": [\(effects)], "layers": [\(layers)]}
            """
    }

    private let long = #""timeRange": {"start": 0, "duration": 1}"#

    @Test(
        "A group of the frame's size with one layer is that layer alone, bit for bit",
        arguments: [
            #""source": {"type": "video", "url": "film.mkv"}, "transform": {"rotation": 21, "scale": 0.8}"#,
            #""source": {"type": "image", "url": "odd.png"}, "transform": {"center": {"x": 0.31, "y": 0.6}, "scale": 1.4}"#,
            #""source": {"type": "image", "url": "cut.png"}"#,
            #""source": {"type": "text", "text": "Ab", "font": "Sans 30"}, "transform": {"rotation": 90}"#,
            #""source": {"type": "solid", "color": "#40608090", "size": {"width": 40, "height": 30}}"#,
        ])
    func groupOfOne(_ layer: String) async throws {
        let media = try await ReferenceMedia()
        let animated = #""animations": [{"keyPath": "opacity", "keyTimes": [0.1, 0.3], "values": [0.3, 1]}]"#
        let alone = "{\(long), \(layer), \(animated)}"
        // Of a group that is drawn with an opacity of its own: what is inside has been rounded to 8 bits before.
        let groups = [
            "{\(long), \"source\": {\"type\": \"group\", \"layers\": [{\(long), \(layer)}]}, \(animated)}",
            "{\(long), \"source\": {\"type\": \"group\", \"layers\": [{\(long), \"source\": {\"type\": \"group\", \"layers\": [{\(long), \(layer)}]}}]}, \(animated)}",
        ]
        let wanted = try ReferenceFilm(json: draft(layers: alone), media).frames()
        for group in groups {
            #expect(try ReferenceFilm(json: draft(layers: group), media).frames() == wanted)
        }
    }

    @Test("An adjustment layer over everything is the same operation as an effect, and as a clip's filter, bit for bit")
    func adjustment() async throws {
        let media = try await ReferenceMedia()
        let operation = #"{"type": "contrast", "amount": 1.3}"#
        let adjusted = try ReferenceFilm(json: draft(layers: "{\(long), \"operations\": [\(operation)]}"), media).frames()
        let effect = try ReferenceFilm(
            json: draft(layers: "", effects: "{\"type\": \"filter\", \"operation\": \(operation)}"), media
        ).frames()
        let clip = #"{"type": "image", "url": "card.png", "duration": 0.4, "scalingMode": "fill", "filters": [\#(operation)]}"#
        #expect(adjusted == effect)
        #expect(try ReferenceFilm(json: draft(layers: "", clips: clip), media).frames() == effect)
        #expect(try ReferenceFilm(json: draft(layers: ""), media).frames() != effect)
    }

    @Test("Inside a group a blend mode sees the group's layers and not what is below it", arguments: BlendMode.allCases)
    func blendInGroup(_ mode: BlendMode) async throws {
        let media = try await ReferenceMedia()
        let solid = #""source": {"type": "solid", "color": "#5A8CB4"}"#
        let alone = "{\(long), \"source\": {\"type\": \"group\", \"layers\": [{\(long), \(solid), \"blendMode\": \"\(mode.rawValue)\"}]}}"
        let plain = "{\(long), \(solid)}"
        #expect(
            try ReferenceFilm(json: draft(layers: alone), media).frames()
                == ReferenceFilm(json: draft(layers: plain), media).frames())
    }

    @Test("A blend mode of flat colours is the W3C formula's within one code value of luma", arguments: BlendMode.allCases)
    func blendedColors(_ mode: BlendMode) async throws {
        let media = try await ReferenceMedia()
        var random = RandomNumbers(seed: 77)
        for _ in 0..<12 {
            let (below, above) = (UInt8.random(in: 30...225, using: &random), UInt8.random(in: 30...225, using: &random))
            func solid(_ value: UInt8, _ more: String = "") -> String {
                let digits = String(value, radix: 16)
                let hex = (digits.count < 2 ? "0" : "") + digits
                return "{\(long), \"source\": {\"type\": \"solid\", \"color\": \"#\(hex)\(hex)\(hex)\"}\(more)}"
            }
            let layers = [solid(below), solid(above, ", \"blendMode\": \"\(mode.rawValue)\"")].joined(separator: ", ")
            let found = try ReferenceFilm(json: draft(layers: layers), media).frames()[0]
            // Greys are stored as luma, which 219 steps hold; the formula is asked for what they hold.
            func stored(_ value: UInt8) -> Double { (Double(value) * 219 / 255).rounded() / 219 }
            let wanted = 16 + 219 * referenceBlend(mode, stored(below), stored(above))
            #expect(abs(Double(found.planes[0][0]) - wanted) <= 1, "\(above) over \(below)")
        }
    }
}
