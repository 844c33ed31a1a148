import DraftModel
import ExportPlan
import TestSupport
import Testing
import Vocabulary

/// Laws for whole drafts: two drafts that mean the same draw the same picture.
@Suite struct ReferenceLawTests {
    private func draft(layers: String, effects: String = "", clips: String = "") -> String {
        let clip = clips.isEmpty ? #"{"type": "image", "url": "card.png", "duration": 0.4, "scalingMode": "fill"}"# : clips
        return """
            {"version": 1, "videoSize": {"width": 96, "height": 64}, "frameRate": 25, "mainTrackClips": [\(clip)],
             "effects": [\(effects)], "layers": [\(layers)]}
            """
    }

    private let long = #""timeRange": {"start": 0, "duration": 1}"#

    @Test("A group of the frame's size with one layer equals that layer, and nested groups do, too")
    func groupOfOne() async throws {
        let media = try await ReferenceMedia()
        let animated = #""animations": [{"keyPath": "opacity", "keyTimes": [0.1, 0.3], "values": [0.3, 1]}]"#
        func group(_ fields: String) -> String { "\"source\": {\"type\": \"group\", \"layers\": [{\(long), \(fields)}]}" }
        for layer in [
            #""source": {"type": "video", "url": "film.mkv"}, "transform": {"rotation": 21, "scale": 0.8}"#,
            #""source": {"type": "image", "url": "odd.png"}, "transform": {"center": {"x": 0.31, "y": 0.6}, "scale": 1.4}"#,
            #""source": {"type": "image", "url": "cut.png"}"#,
            #""source": {"type": "text", "text": "Ab", "font": "Sans 30"}, "transform": {"rotation": 90}"#,
            ##""source": {"type": "solid", "color": "#40608090", "size": {"width": 40, "height": 30}}"##,
        ] {
            let wanted = try ReferenceFilm(json: draft(layers: "{\(long), \(layer), \(animated)}"), media).frames()
            for grouped in [group(layer), group(group(layer))] {
                let film = try ReferenceFilm(json: draft(layers: "{\(long), \(grouped), \(animated)}"), media)
                #expect(try film.frames() == wanted, "\(layer)")
            }
        }
    }

    @Test("An adjustment layer over everything equals the same effect and the same clip filter, bit for bit")
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

    @Test("Inside a group a blend mode uses the group's layers and not what is below the group")
    func blendInGroup() async throws {
        let media = try await ReferenceMedia()
        let solid = ##""source": {"type": "solid", "color": "#5A8CB4"}"##
        let plain = try ReferenceFilm(json: draft(layers: "{\(long), \(solid)}"), media).frames()
        for mode in BlendMode.allCases {
            let inside = "{\(long), \(solid), \"blendMode\": \"\(mode.rawValue)\"}"
            let grouped = "{\(long), \"source\": {\"type\": \"group\", \"layers\": [\(inside)]}}"
            #expect(try ReferenceFilm(json: draft(layers: grouped), media).frames() == plain, "\(mode)")
            #expect(try ReferenceFilm(json: draft(layers: inside), media).frames() != plain || mode == .normal, "\(mode)")
        }
    }

    @Test("A blend mode of flat greys equals the W3C formula within one code value of luma")
    func blendedGreys() async throws {
        let media = try await ReferenceMedia()
        var random = RandomNumbers(seed: 77)
        for mode in BlendMode.allCases {
            for _ in 0..<12 {
                let (below, above) = (UInt8.random(in: 30...225, using: &random), UInt8.random(in: 30...225, using: &random))
                let layers = [solid(below), solid(above, ", \"blendMode\": \"\(mode.rawValue)\"")].joined(separator: ", ")
                let found = try ReferenceFilm(json: draft(layers: layers), media).frames()[0]
                // Greys are stored as one of 220 luma values, and the formula is computed for the stored values.
                func stored(_ value: UInt8) -> Double { (Double(value) * 219 / 255).rounded() / 219 }
                let wanted = 16 + 219 * referenceBlend(mode, SIMD3(repeating: stored(below)), SIMD3(repeating: stored(above)))[0]
                #expect(abs(Double(found.planes[0][0]) - wanted) <= 1, "\(mode): \(above) over \(below)")
            }
        }
    }

    /// A layer of one grey that covers the frame.
    private func solid(_ value: UInt8, _ more: String = "") -> String {
        let digits = String(value, radix: 16)
        let hex = (digits.count < 2 ? "0" : "") + digits
        return "{\(long), \"source\": {\"type\": \"solid\", \"color\": \"#\(hex)\(hex)\(hex)\"}\(more)}"
    }
}
