import DraftModel
import ExactTime
import ExportPlan
import TestSupport
import Testing

/// The numbers of frames and samples, compared with an integer count of the ticks of a random draft.
@Suite("Frame and sample counts of plans")
struct CountingTests {
    @Test("The frames of all segments add up to ceil(duration * rate)", arguments: filmRates)
    func frames(top: Int64, bottom: Int64) throws {
        var numbers = RandomNumbers(seed: UInt64(top + bottom))
        for count in [1, 2, 5, 20, 50] {
            var random = RandomDraft(clipCount: count, using: &numbers)
            random.sample.draft.frameRate = FrameRate(Rational(top, bottom))
            let plan = try random.sample.plan()
            let scaled = random.ticks * Int(top)
            let unit = RandomDraft.ticksPerSecond * Int(bottom)
            let expected = (scaled + unit - 1) / unit
            #expect(plan.videoSegments.map(\.slice.frameCount).reduce(0, +) == expected)
            #expect(plan.stitch.frameCount == expected)
            expectContiguous(plan.videoSegments.map { ($0.firstFrame, $0.slice.frameCount) })
            #expect(plan.videoSegments.allSatisfy { $0.slice.frameRate == plan.stitch.frameRate })
        }
    }

    @Test("The samples of all segments add up to round(duration * rate)", arguments: [44_100, 48_000, 22_050, 96_000])
    func samples(rate: Int) throws {
        var numbers = RandomNumbers(seed: UInt64(rate))
        for count in [1, 2, 5, 20, 50] {
            var random = RandomDraft(clipCount: count, using: &numbers)
            random.sample.settings.sampleRate = rate
            let plan = try random.sample.plan()
            // Halves are rounded up; there are no negative values here.
            let expected = (2 * random.ticks * rate + RandomDraft.ticksPerSecond) / (2 * RandomDraft.ticksPerSecond)
            #expect(plan.audioSegments.map(\.slice.sampleCount).reduce(0, +) == expected)
            #expect(plan.soundtrack?.sampleCount == expected)
            expectContiguous(plan.audioSegments.map { ($0.firstSample, $0.slice.sampleCount) })
        }
    }

    @Test("50 clips with transitions of fractional frames neither lose nor repeat a frame", arguments: filmRates)
    func fiftyClips(top: Int64, bottom: Int64) throws {
        // Each clip lasts 1.37 s and overlaps the one before by 1/7 s.
        let clips = (0..<50).map { index in
            let clip = MainTrackClip.film("a", from: Rational(Int64(index), 100), lasting: Rational(137, 100))
            return index == 0 ? clip : clip.joined(Rational(1, 7))
        }
        var sample = SampleDraft(clips, facts: ["a": .film("a")])
        sample.draft.frameRate = FrameRate(Rational(top, bottom))
        let plan = try sample.plan()
        // 50 * 137/100 - 49/7 = 61.5 s.
        #expect(plan.stitch.frameCount == Int((123 * top + 2 * bottom - 1) / (2 * bottom)))
        #expect(plan.videoSegments.map(\.slice.frameCount).reduce(0, +) == plan.stitch.frameCount)
        expectContiguous(plan.videoSegments.map { ($0.firstFrame, $0.slice.frameCount) })
        #expect(plan.soundtrack?.sampleCount == 61_500 * 441 / 10)
        // A segment for each clip, with the transition at its end.
        #expect(plan.videoSegments.count == 50)
    }

    @Test("A clip between two frames has no segment")
    func betweenFrames() throws {
        let clips = [
            MainTrackClip.image("i", lasting: Rational(101, 100)), .film("a", lasting: Rational(1, 100)),
            .film("a", lasting: .one),
        ]
        var sample = SampleDraft(clips, facts: ["a": .film("a"), "i": .picture("i")])
        sample.draft.frameRate = FrameRate(25)
        let plan = try sample.plan()
        #expect(plan.videoSegments.count == 2)
        #expect(plan.videoSegments.map(\.slice.frameCount).reduce(0, +) == 51)
    }

    @Test("A slice starts at time 0 and covers exactly its own frames")
    func slices() throws {
        var numbers = RandomNumbers(seed: 4)
        let plan = try RandomDraft(clipCount: 20, using: &numbers).sample.plan()
        for segment in plan.videoSegments {
            let slice = segment.slice
            #expect(
                slice.instruction.timeRange == TimeRange(start: .zero, duration: slice.frameRate.time(ofFrame: slice.frameCount)))
            #expect(slice.frameCount > 0)
        }
        #expect(plan.audioSegments.allSatisfy { $0.slice.sampleCount > 0 })
    }

    @Test("Every frame of every segment shows the same as the composition")
    func sameContent() throws {
        var numbers = RandomNumbers(seed: 5)
        for _ in 0..<10 {
            let (composition, plan) = try RandomDraft(clipCount: 10, using: &numbers).sample.compile()
            var wrong: [String] = []
            for segment in plan.videoSegments {
                for index in stride(from: 0, to: segment.slice.frameCount, by: 7) {
                    let whole = composition.instruction(atFrame: segment.firstFrame + index)?.layers ?? []
                    let expected = shown(whole, atFrame: segment.firstFrame + index, composition.frameRate)
                    let found = shown(segment.slice.instruction.layers, atFrame: index, composition.frameRate)
                    if expected != found { wrong.append("frame \(segment.firstFrame + index): \(found), not \(expected)") }
                }
            }
            #expect(wrong.isEmpty, "\(wrong.count) wrong, first \(wrong.first ?? "")")
        }
    }

    private func expectContiguous(_ runs: [(first: Int, count: Int)]) {
        #expect(runs.first?.first == 0)
        #expect(runs.dropFirst().map(\.first) == runs.dropLast().map { $0.first + $0.count })
    }

    /// The sources of the visible layers with their source times and the progress of transitions, from bottom to top.
    private func shown(_ layers: [Layer], atFrame frame: Int, _ rate: FrameRate) -> [String] {
        layers.filter { $0.isVisible(at: rate.time(ofFrame: frame)) }.flatMap { layer -> [String] in
            switch layer.content {
            case .solid: ["solid"]
            case .text, .shape: ["drawing"]
            case .captions(let captions): ["\(captions.source) at \(rate.time(ofFrame: frame) - captions.start)"]
            case .generator(let generated): ["generator at \(generated.timing.sourceTime(at: rate.time(ofFrame: frame)))"]
            case .adjustment: ["adjustment"]
            case .group(let inner, _): shown(inner, atFrame: frame, rate)
            case .still(let source): [source]
            case .video(let source, let timing): ["\(source) at \(timing.sourceTime(at: rate.time(ofFrame: frame)))"]
            case .blurred(let inner, _): shown([inner], atFrame: frame, rate)
            case .transition(let overlap):
                ["\(overlap.progress(atFrame: frame, of: rate))"] + shown(overlap.from + overlap.to, atFrame: frame, rate)
            }
        }
    }
}
