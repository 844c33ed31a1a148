import DraftModel
import ExactTime
import ExportPlan
import TestSupport
import Testing

@Suite("The draft's own time range")
struct CroppingTests {
    private let facts = [
        "a": SourceFacts.film("a"), "b": SourceFacts.film("b"), "m": SourceFacts.sound("m", seconds: Rational(3)),
    ]

    private var clips: [MainTrackClip] {
        [.film("a", lasting: Rational(6)), .film("b", lasting: Rational(6)).joined(Rational(2))]
    }

    @Test("The film is the draft's time range, and its time 0 is the start of that range")
    func crop() throws {
        var sample = SampleDraft(clips, facts: facts)
        sample.draft.timeRange = TimeRange(Rational(1), Rational(17, 2))
        let composition = try sample.compose()
        #expect(composition.duration == MediaTime(Rational(15, 2)))
        #expect(
            composition.instructions.map(\.timeRange) == [
                TimeRange(.zero, Rational(3)), TimeRange(Rational(3), Rational(5)), TimeRange(Rational(5), Rational(15, 2)),
            ])
    }

    @Test("A transition that begins before the film keeps its length and progress")
    func insideTransition() throws {
        var sample = SampleDraft(clips, facts: facts)
        sample.draft.frameRate = FrameRate(30)
        sample.draft.timeRange = TimeRange(Rational(5), Rational(8))
        let composition = try sample.compose()
        #expect(composition.instructions[0].timeRange == TimeRange(.zero, Rational(1)))
        guard case .transition(let overlap)? = composition.instructions[0].layers.last?.content else {
            Issue.record("no transition")
            return
        }
        #expect(overlap.timeRange == TimeRange(Rational(-1), Rational(1)))
        #expect(overlap.progress(atFrame: 0, of: FrameRate(30)) == (30, 60))
    }

    @Test("A range that ends after the timeline is shortened")
    func beyondEnd() throws {
        var sample = SampleDraft(clips, facts: facts)
        sample.draft.timeRange = TimeRange(Rational(8), Rational(100))
        #expect(try sample.compose().duration == MediaTime(seconds: 2))
    }

    @Test("A cropped film shows and sounds the same as the whole one at every instant")
    func sameContent() throws {
        var numbers = RandomNumbers(seed: 2)
        for _ in 0..<20 {
            var sample = RandomDraft(clipCount: 6, using: &numbers).sample
            sample.draft.audioClips = [.sound("m") { $0.loop = true }]
            sample.facts["m"] = facts["m"]
            let whole = try sample.compose()
            let start = whole.duration * Rational(Int64.random(in: 0...50, using: &numbers), 100)
            let duration = whole.duration * Rational(Int64.random(in: 1...60, using: &numbers), 100)
            sample.draft.timeRange = TimeRange(start: start, duration: duration)
            let cropped = try sample.compose()
            #expect(cropped.duration == min(duration, whole.duration - start))
            for step in 0..<50 {
                let time = cropped.duration * Rational(Int64(step), 50)
                #expect(pictures(of: cropped, at: time) == pictures(of: whole, at: time + start))
                #expect(sounds(of: cropped, at: time) == sounds(of: whole, at: time + start))
            }
        }
    }

    /// The source times of the pictures, from bottom to top.
    private func pictures(of composition: Composition, at time: MediaTime) -> [String] {
        func instants(_ layer: Layer) -> [String] {
            switch layer.content {
            case .video(let source, let timing): ["\(source) at \(timing.sourceTime(at: time))"]
            case .still(let source): [source]
            case .solid: ["solid"]
            case .text, .shape: ["drawing"]
            case .captions(let captions): ["\(captions.source) at \(time - captions.start)"]
            case .generator(let generated): ["generator at \(generated.timing.sourceTime(at: time))"]
            case .adjustment: ["adjustment"]
            case .group(let inner, _): inner.flatMap(instants)
            case .blurred(let inner, _): instants(inner)
            case .transition(let overlap):
                ["\(time - overlap.timeRange.start) of \(overlap.timeRange.duration)"]
                    + (overlap.from + overlap.to).flatMap(instants)
            }
        }
        return composition.instructions.first { $0.timeRange.contains(time) }.map { $0.layers.flatMap(instants) } ?? []
    }

    /// The source times and gains of the sounds.
    private func sounds(of composition: Composition, at time: MediaTime) -> [String] {
        composition.audioInputs.filter { $0.timeRange.contains(time) }.map { input in
            let played = (time - input.timeRange.start) * input.speed
            let instant = input.reversed ? input.sourceRange.end - played : input.sourceRange.start + played
            // The time of a constant curve's only point does not matter.
            let gains = input.gains.map { curve in
                curve.points.map { curve.points.count == 1 ? "\($0.gain)" : "\($0.gain) after \($0.time - time)" }
            }
            return "\(input.source) at \(instant), gains \(gains)"
        }
    }
}
