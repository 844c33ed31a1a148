import DraftModel
import ExactTime
import ExportPlan
import TestSupport
import Testing
import Vocabulary

/// Long films begin with short segments, so that they can be watched soon.
@Suite("The opening of a long film in its plan")
struct OpeningPlanTests {
    private func plan(
        _ seconds: Int, keyframes: Rational = Rational(10), from start: Rational = .zero, codec: String = "aac",
        speed: Rational? = nil
    ) throws -> RenderPlan {
        var film = SourceFacts.film("a", seconds: Rational(4000), keyframeInterval: keyframes)
        film.audio?.codec = codec
        var clip = MainTrackClip.film("a", from: start, lasting: Rational(seconds) * (speed ?? .one))
        clip.speed = speed.map { .constant($0) }
        return try SampleDraft([clip], facts: ["a": film]).plan()
    }

    @Test("The first picture segment of five minutes and more lasts a second; shorter films are cut as before")
    func pictures() throws {
        for seconds in [300, 1000] {
            let segments = try plan(seconds).videoSegments
            #expect(segments[0].slice.frameCount == 30)
            #expect(segments.map(\.slice.frameCount).reduce(0, +) == seconds * 30)
            // The cuts behind it are those of the film without it.
            #expect(segments[1].frames.upperBound == (try plan(299).videoSegments[0].frames.upperBound))
        }
        #expect(try plan(299).videoSegments[0].slice.frameCount > 90)
    }

    @Test("It ends at a keyframe of the source where there is one near, and nowhere without one within ten seconds")
    func keyframes() throws {
        #expect(try plan(600, keyframes: Rational(7, 8)).videoSegments[0].slice.frameCount == 27)
        #expect(try plan(600, keyframes: Rational(5, 4)).videoSegments[0].slice.frameCount == 38)
        #expect(try plan(600, keyframes: Rational(3), from: Rational(8)).videoSegments[0].slice.frameCount == 30)
        #expect(try plan(600, keyframes: Rational(1), speed: Rational(2)).videoSegments[0].slice.frameCount == 30)
        #expect(try plan(600, keyframes: Rational(100), from: Rational(50)).videoSegments[0].slice.frameCount > 90)
    }

    @Test("Sound that must not be cut is played from its start after one minute, two, four and so on")
    func sound() throws {
        func starts(_ plan: RenderPlan) -> [Int] { plan.audioSegments.map { $0.firstSample / 44_100 } }
        #expect(starts(try plan(89)) == [0])
        #expect(starts(try plan(90)) == [0, 60])
        let segments = try plan(600).audioSegments
        #expect(segments.map { $0.firstSample / 44_100 } == [0, 60, 120, 240, 480])
        #expect(segments.map { $0.slice.inputs.map(\.fromStart) } == [[nil], [true], [true], [true], [true]])
        #expect(segments.map { $0.slice.inputs[0].firstSample } == segments.map { -$0.firstSample })
        #expect(segments.map(\.slice.sampleCount).reduce(0, +) == 600 * 44_100)
        // Other sound is cut every ten seconds anyway.
        let mp3 = try plan(600, codec: "mp3").audioSegments
        #expect(mp3[1].firstSample == 10 * 44_100 && mp3.allSatisfy { $0.slice.inputs.allSatisfy { $0.fromStart == nil } })
    }

    @Test("What is filtered or time-stretched stays in one segment")
    func filtered() throws {
        #expect(try plan(600, speed: Rational(2)).audioSegments.count == 1)
        var sample = SampleDraft([.film("a", lasting: Rational(600))], facts: ["a": .film("a", seconds: Rational(600))])
        sample.draft.mainTrackClips[0].audioFilters = [AudioFilter(type: .gate)]
        #expect(try sample.plan().audioSegments.count == 1)
    }
}
