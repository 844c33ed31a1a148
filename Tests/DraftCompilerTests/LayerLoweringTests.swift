import DraftCompiler
import DraftModel
import ExactTime
import ExportPlan
import Testing

/// Lowering of a draft's layers: their order, times and places.
@Suite struct LayerLoweringTests {
    private func composition(_ layers: [DraftLayer], clips: [MainTrackClip] = [.film("a")]) throws -> Composition {
        var sample = SampleDraft(clips, facts: ["a": .film("a")])
        sample.draft.videoSize = PixelSize(width: 640, height: 360)
        sample.draft.layers = layers
        return try sample.compose()
    }

    private func text(_ start: Int, _ duration: Int, level: Int? = nil, id: String) -> DraftLayer {
        var source = LayerSource(type: .text)
        source.text = TextStyle(text: id)
        var layer = DraftLayer(
            timeRange: TimeRange(start: MediaTime(seconds: start), duration: MediaTime(seconds: duration)), source: source)
        layer.layerLevel = level
        return layer
    }

    private func texts(_ composition: Composition) -> [String] {
        composition.instructions.flatMap(\.layers).compactMap { layer in
            if case .text(let text) = layer.content { text.text } else { nil }
        }
    }

    @Test("Layers are drawn by level, and equal levels in the draft's order")
    func order() throws {
        let layers = [
            text(0, 1, level: 5, id: "top"), text(0, 1, id: "first"), text(0, 1, level: -1, id: "lowest"),
            text(0, 1, id: "second"),
        ]
        #expect(try texts(composition(layers)) == ["lowest", "first", "second", "top"])
    }

    @Test("A draft with only layers lasts until the last layer ends, over its background")
    func layersOnly() throws {
        let film = try composition([text(1, 2, id: "a"), text(0, 1, id: "b")], clips: [])
        #expect(film.duration == MediaTime(seconds: 3))
        #expect(film.instructions.count == 1)
        guard case .solid? = film.instructions.first?.layers.first?.content else {
            Issue.record("there is no background")
            return
        }
    }

    @Test("A lowered layer has its time range, a place in canvas pixels and animations in timeline time")
    func places() throws {
        var layer = text(1, 2, id: "a")
        layer.transform = Transform(center: .init(x: 0.25), rotation: 90)
        layer.animations = [
            Animation(keyPath: "transform.center.y", KeyedCurve(keyTimes: [.zero, MediaTime(seconds: 1)], values: [0, 1]))
        ]
        let lowered = try #require(try composition([layer]).instructions.first?.layers.last)
        #expect(lowered.timeRange == TimeRange(start: MediaTime(seconds: 1), duration: MediaTime(seconds: 2)))
        let transform = try #require(lowered.transform)
        #expect(transform.position.x.constantValue == 160)
        #expect(transform.position.y.value(at: MediaTime(Rational(3, 2))) == 180)
        #expect(transform.rotation.constantValue == 90)
    }

    @Test("An unknown operation and a value out of range are errors at their paths")
    func faults() throws {
        var layer = text(0, 1, id: "a")
        layer.operations = [Filter(type: "sepia", parameters: ["amount": 2]), Filter(type: "sepiaa")]
        let error = #expect(throws: DraftError.self) { try composition([layer]) }
        let paths = error?.diagnostics.map(\.path) ?? []
        #expect(paths == ["layers[0].operations[0].amount", "layers[0].operations[1].type"])
    }

    @Test("Effects lie between the main track and the layers, and a filter is an adjustment of its range")
    func effects() throws {
        var sample = SampleDraft([.film("a")], facts: ["a": .film("a"), "logo": .picture("logo")])
        sample.draft.layers = [text(0, 1, level: -5, id: "layer")]
        var filter = Effect(type: .filter)
        filter.operation = Filter(type: "sepia")
        filter.timeRangeAtMainTrack = TimeRange(start: MediaTime(seconds: 1), duration: MediaTime(seconds: 1))
        var sticker = Effect(type: .imageSticker)
        sticker.url = "logo"
        sticker.destRect = Rect(x: .zero, y: .zero, width: Rational(1, 2), height: Rational(1, 4), unit: .ratio)
        sample.draft.effects = [sticker, filter]
        let layers = try #require(try sample.compose().instructions.first?.layers)
        #expect(layers.suffix(3).map(\.sources) == [[SourceFacts.picture("logo").contentHash], [], []])
        #expect(layers.dropLast().last?.content == .adjustment)
        #expect(layers.dropLast().last?.timeRange == filter.timeRangeAtMainTrack)
    }

    @Test("The sound of a layer's video is heard while the layer is seen, with its repetitions")
    func sound() throws {
        var source = LayerSource(type: .video, url: "a")
        source.timeRange = TimeRange(start: MediaTime(seconds: 1), duration: MediaTime(seconds: 2))
        source.loop = true
        var layer = DraftLayer(
            timeRange: TimeRange(start: MediaTime(seconds: 1), duration: MediaTime(seconds: 5)), source: source)
        layer.audio = LayerAudio(volume: 0.5)
        let inputs = try composition([layer]).audioInputs.filter { $0.gains == [.constant(0.5)] }
        #expect(inputs.map(\.timeRange.start) == [1, 3, 5].map { MediaTime(seconds: $0) })
        #expect(inputs.map(\.timeRange.duration) == [2, 2, 1].map { MediaTime(seconds: $0) })
        #expect(inputs.allSatisfy { $0.sourceRange.start == MediaTime(seconds: 1) })
    }
}
