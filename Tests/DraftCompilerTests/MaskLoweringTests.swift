import DraftCompiler
import DraftModel
import ExactTime
import ExportPlan
import TestSupport
import Testing
import Vocabulary

/// Lowering of masks: they are drawn in the masked picture's own pixels and in the layer's time.
@Suite struct MaskLoweringTests {
    private func layers(_ json: String) throws -> [Layer] {
        let text = """
            {"version": 1, "videoSize": {"width": 640, "height": 360}, "mainTrackClips": [{"type": "av", "url": "a"}],
             "layers": [{"timeRange": {"start": 1, "duration": 2}, \(json)}]}
            """
        let sample = try SampleDraft(json: text, facts: ["a": .film("a"), "map": .picture("map")])
        return try #require(try sample.compose().instructions.first?.layers)
    }

    private func faults(_ json: String) throws -> [String] {
        let text = """
            {"version": 1, "videoSize": {"width": 640, "height": 360}, "mainTrackClips": [{"type": "av", "url": "a"}],
             "layers": [{"timeRange": {"start": 1, "duration": 2}, \(json)}]}
            """
        return try SampleDraft(json: text, facts: ["a": .film("a"), "map": .picture("map")]).faults().map(\.path)
    }

    @Test("An image mask is stretched over the masked picture, in that picture's own pixels")
    func image() throws {
        let mask = try #require(
            try layers(
                #""source": {"type": "video", "url": "a"}, "mask": {"source": {"type": "image", "url": "map"}, "channel": "luma"}"#
            )
            .last?.mask)
        let film = try #require(SourceFacts.film("a").video?.displaySize)
        #expect(mask.size == film && mask.channel == .luma && !mask.isInverted)
        let map = try #require(SourceFacts.picture("map").video?.displaySize)
        let drawn = try #require(mask.layers.first)
        #expect(drawn.sources == [SourceFacts.picture("map").contentHash])
        let transform = try #require(drawn.transform)
        #expect(transform.position.x.constantValue == Double(film.width) / 2)
        #expect(transform.scale.x.constantValue == Double(film.width) / Double(map.width))
        #expect(transform.scale.y.constantValue == Double(film.height) / Double(map.height))
    }

    @Test("A mask is animated in the layer's time, and its sources are sources of the layer")
    func moving() throws {
        let layer = try #require(
            try layers(
                #"""
                "source": {"type": "solid", "color": "#FF0000"},
                "mask": {"source": {"type": "shape", "shape": "ellipse", "size": {"width": 100, "height": 50}}, "inverted": true},
                "animations": [{"keyPath": "mask.transform.center.x", "keyTimes": [0, 2], "values": [0, 1]},
                               {"keyPath": "mask.feather", "keyTimes": [0, 2], "values": [0, 10]}]
                """#
            ).last)
        let mask = try #require(layer.mask)
        #expect(mask.isInverted && mask.size == FrameSize(width: 640, height: 360))
        #expect(mask.feather.value(at: MediaTime(seconds: 2)) == 5)
        #expect(mask.layers.first?.transform?.position.x.value(at: MediaTime(seconds: 2)) == 320)
        #expect(mask.layers.first?.timeRange == nil, "it is there as long as its layer is")
        let still = try layers(
            #""source": {"type": "video", "url": "a"}, "mask": {"source": {"type": "image", "url": "map"}}"#)
        #expect(try #require(still.last).sources.count == 2)
    }

    @Test("Faults of masks are reported with their paths")
    func faultyMasks() throws {
        let shape = #"{"type": "shape", "shape": "rect", "size": {"width": 9, "height": 9}}"#
        #expect(try faults(#""source": {"type": "text", "text": "a"}, "mask": {"source": \#(shape)}"#) == ["layers[0].mask"])
        #expect(
            try faults(#""source": {"type": "video", "url": "a"}, "mask": {"source": {"type": "video", "url": "map"}}"#) == [
                "layers[0].mask.source.type"
            ])
        #expect(
            try faults(
                #""source": {"type": "video", "url": "a"}, "mask": {"source": {"type": "shape", "shape": "path", "path": "M 0", "size": {"width": 9, "height": 9}}}"#
            ) == ["layers[0].mask.source.path"])
    }
}
