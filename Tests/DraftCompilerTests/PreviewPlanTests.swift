import DraftCompiler
import DraftModel
import ExactTime
import ExportPlan
import TestSupport
import Testing

/// The plan of a draft that is played while it is edited.
@Suite("Plans of previews")
struct PreviewPlanTests {
    private let size = FrameSize(width: 640, height: 360)

    private func plan(_ sample: SampleDraft) throws -> RenderPlan {
        var compiler = sample.compiler
        compiler.preview = PreviewFormat(size: size)
        return compiler.plan(try compiler.compose(sample.draft).composition, sample.draft)
    }

    private func sample(_ seconds: Int, keyframes: Rational = Rational(2)) -> SampleDraft {
        SampleDraft(
            [.film("a", lasting: Rational(seconds))],
            facts: ["a": .film("a", seconds: Rational(1000), keyframeInterval: keyframes)])
    }

    @Test("Segments are short, the first one is shorter, and all are scaled")
    func segments() throws {
        let plan = try plan(sample(60))
        #expect(plan.videoSegments.map(\.slice.frameCount).reduce(0, +) == 1800)
        #expect((20...45).contains(plan.videoSegments[0].slice.frameCount))
        #expect(plan.videoSegments.dropFirst().allSatisfy { $0.slice.frameCount <= 4 * 30 })
        #expect(plan.videoSegments.allSatisfy { $0.slice.encode.renditions == [size] && $0.slice.canvas != size })
        #expect(plan.stitch.frameCount == 1800)
        // The film itself has none of it.
        #expect(try sample(60).plan().videoSegments.allSatisfy { $0.slice.encode.renditions == nil })
        #expect(Set(plan.videoSegments.map(\.key)).isDisjoint(with: try sample(60).plan().videoSegments.map(\.key)))
    }

    @Test("A change at one place leaves the keys of the other segments")
    func change() throws {
        var titled = sample(60)
        titled.draft.layers = try SampleDraft(
            json: """
                {"version": 1, "mainTrackClips": [{"type": "av", "url": "a"}], "layers": [
                  {"timeRange": {"start": 30, "duration": 2}, "source": {"type": "solid", "color": "#FF0000"}}]}
                """, facts: sample(60).facts
        ).draft.layers
        let (before, after) = (try plan(sample(60)), try plan(titled))
        let changed = zip(before.videoSegments, after.videoSegments).filter { $0.key != $1.key }
        #expect(before.videoSegments.count == after.videoSegments.count && (1...2).contains(changed.count))
        #expect(before.soundtrack == after.soundtrack)
    }

    @Test("Sound comes in segments of six seconds, without what needs the whole of it")
    func sound() throws {
        var mastered = sample(60)
        mastered.draft.audio = DraftAudio(loudness: -16)
        for sample in [sample(60), mastered] {
            let soundtrack = try #require(try plan(sample).soundtrack)
            let parts = try #require(soundtrack.parts)
            #expect(soundtrack.mastering == nil && parts.count == 10)
            #expect(parts.dropLast().allSatisfy { (5.5...6.0).contains(Double(($0.packetCount ?? 0) * 1024) / 44_100) })
        }
        #expect(try plan(sample(8)).soundtrack?.parts == nil)
    }
}
