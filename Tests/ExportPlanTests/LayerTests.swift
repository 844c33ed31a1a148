import ExactTime
import ExportPlan
import TestSupport
import Testing
import Vocabulary

@Suite("Layer")
struct LayerTests {
    @Test("Shifting a layer there and back, or in two steps, equals one shift")
    func composition() {
        var numbers = RandomNumbers(seed: 10)
        for _ in 0..<100 {
            let layer = numbers.layer(depth: 3)
            let first = numbers.time()
            let second = numbers.time()
            #expect(layer.shifted(by: first).shifted(by: second) == layer.shifted(by: first + second))
            #expect(layer.shifted(by: first).shifted(by: -first) == layer.shifted(by: .zero))
        }
    }

    @Test("A shifted layer shows the same content, shifted in time")
    func sameContent() {
        var numbers = RandomNumbers(seed: 11)
        for _ in 0..<100 {
            let layer = numbers.layer(depth: 3)
            let offset = numbers.time()
            let moved = layer.shifted(by: offset)
            for _ in 0..<5 {
                let time = numbers.time()
                #expect(instants(of: moved, at: time + offset) == instants(of: layer, at: time))
            }
        }
    }

    @Test("Shifting a layer that does not depend on time does not change it")
    func timeless() {
        let placement = Placement(
            orientation: Orientation(quarterTurns: 1, mirrored: true), region: .whole,
            destination: PixelRect(x: 2, y: 4, width: 6, height: 8))
        let still = Layer(content: .still(source: "a"), placement: placement, opacity: .constant(0.5))
        #expect(still.shifted(by: MediaTime(seconds: 9)) == still)
        let solid = Layer(content: .solid(color: .black))
        #expect(solid.shifted(by: MediaTime(seconds: 9)) == solid)
    }

    @Test("A layer's sources are those of all its parts, without duplicates")
    func sources() {
        let timing = SourceTiming(timelineStart: .zero, sourceStart: .zero, rate: .one)
        let film = Layer(content: .video(source: "a", timing: timing))
        let blurred = Layer(content: .blurred(layer: film, deviation: 3))
        let transition = Layer(
            content: .transition(
                Transition(
                    kind: .dissolve, timeRange: TimeRange(start: .zero, duration: MediaTime(seconds: 1)),
                    from: [Layer(content: .solid(color: .black)), blurred, film], to: [Layer(content: .still(source: "b"))])))
        #expect(Layer(content: .solid(color: .black)).sources.isEmpty)
        #expect(blurred.sources == ["a"])
        #expect(transition.sources == ["a", "b"])
        let range = TimeRange(start: .zero, duration: MediaTime(seconds: 1))
        func call(_ source: String) -> Operation { Operation(name: "mixer", source: source) }
        func mixer(_ source: String) -> TransitionMixer {
            TransitionMixer(call: call(source), progress: "fader", from: 0, to: 1)
        }
        let generated = GeneratedContent(call: call("plasma"), size: FrameSize(width: 8, height: 6), timing: timing)
        let called = Layer(
            content: .transition(
                Transition(
                    kind: .externalTransition, timeRange: range, from: [Layer(content: .generator(generated))], to: [],
                    mixer: mixer("fade"))),
            mixer: call("burn"),
            transitions: [
                LayerTransition(kind: .externalTransition, direction: .entering, timeRange: range, mixer: mixer("in"))
            ])
        #expect(called.sources == ["plasma", "fade", "burn", "in"])
    }

    /// Everything in a layer that depends on time, as text: source times, opacities, and the progress of transitions.
    private func instants(of layer: Layer, at time: MediaTime) -> [String] {
        let transform = layer.transform.map { "\($0.position.x.value(at: time)) \($0.rotation.value(at: time))" } ?? "-"
        let mixer = layer.mixer.map { "mixed at \($0.ownTime(at: time))" } ?? "-"
        let own = ["\(layer.isVisible(at: time)) \(layer.opacity.value(at: time)) \(transform) \(mixer)"]
        switch layer.content {
        case .solid, .still, .text, .shape, .adjustment: return own
        case .captions(let captions): return own + ["\(captions.source) \(time - captions.start)"]
        case .generator(let generated):
            let numbers = generated.call.parameters.mapValues { $0.value(at: time) }
            return own + ["generator \(generated.timing.sourceTime(at: time)) \(numbers)"]
        case .group(let layers, _): return own + layers.flatMap { instants(of: $0, at: time) }
        case .video(let source, let timing): return own + ["\(source) \(timing.sourceTime(at: time))"]
        case .blurred(let inner, _): return own + instants(of: inner, at: time)
        case .transition(let transition):
            let sinceStart = time - transition.timeRange.start
            return own + ["\(sinceStart) of \(transition.timeRange.duration)"]
                + [transition.mixer.map { "mixed at \($0.call.ownTime(at: time))" } ?? "-"]
                + (transition.from + transition.to).flatMap { instants(of: $0, at: time) }
        }
    }
}

extension RandomNumbers {
    fileprivate mutating func layer(depth: Int) -> Layer {
        let opacity = AnimatedValue(keys: [
            .init(time: .zero, value: 0), .init(time: MediaTime(seconds: 2), value: Double.random(in: 0...1, using: &self)),
        ])
        switch Int.random(in: 0...(depth > 0 ? 9 : 4), using: &self) {
        case 0: return Layer(content: .solid(color: .black))
        case 3: return Layer(content: .adjustment, timeRange: TimeRange(start: time(), duration: MediaTime(seconds: 2)))
        case 4:
            let size = FrameSize(width: 8, height: 6)
            return Layer(
                content: .captions(CaptionContent(source: "words", start: time(), size: size, layoutSize: size, look: nil)))
        case 5:
            return Layer(
                content: .group(layers: [layer(depth: depth - 1)], size: FrameSize(width: 8, height: 6)),
                transform: LayerTransform(
                    position: .init(x: opacity, y: .constant(2)), anchor: .init(x: .constant(0), y: .constant(0)),
                    scale: .init(x: .constant(1), y: .constant(1)), rotation: opacity))
        case 1: return Layer(content: .still(source: "still"), opacity: opacity)
        case 7: return Layer(content: .still(source: "still"), mixer: Operation(name: "mixer", source: "burn", start: time()))
        case 8:
            let call = Operation(name: "generator", parameters: ["much": opacity], source: "plasma")
            return Layer(
                content: .generator(GeneratedContent(call: call, size: FrameSize(width: 8, height: 6), timing: timing())))
        case 2: return Layer(content: .video(source: "film", timing: timing()), opacity: opacity)
        case 6: return Layer(content: .blurred(layer: layer(depth: depth - 1), deviation: 4), opacity: opacity)
        default:
            let range = TimeRange(start: time(), duration: MediaTime(seconds: 1))
            let call = Operation(name: "mixer", source: "xfade0r", start: range.start)
            return Layer(
                content: .transition(
                    Transition(
                        kind: .externalTransition, timeRange: range, from: [layer(depth: depth - 1)],
                        to: [layer(depth: depth - 1), layer(depth: depth - 1)],
                        mixer: TransitionMixer(call: call, progress: "fader", from: 0, to: 1))))
        }
    }
}
