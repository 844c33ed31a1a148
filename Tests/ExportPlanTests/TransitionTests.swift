import ExactTime
import ExportPlan
import TestSupport
import Testing
import Vocabulary

@Suite("Progress of a transition")
struct TransitionTests {
    static let rates: [(Int64, Int64)] = [
        (24000, 1001), (24, 1), (25, 1), (30000, 1001), (30, 1), (50, 1), (60000, 1001), (60, 1),
    ]

    @Test("Frame k of the N frames inside the overlap has progress k of N", arguments: rates)
    func progress(top: Int64, bottom: Int64) throws {
        let rate = try #require(FrameRate(Rational(top, bottom)))
        var numbers = RandomNumbers(seed: UInt64(top))
        for _ in 0..<50 {
            let range = TimeRange(
                start: numbers.time(), duration: MediaTime(Rational(Int64.random(in: 1...700, using: &numbers), 101)))
            let transition = Transition(kind: .dissolve, timeRange: range, from: [], to: [])
            // The frames of the overlap, found by examining every frame's time.
            let frames = (-400...1000).filter { range.contains(MediaTime(Rational(Int64($0) * bottom, top))) }
            for (index, frame) in frames.enumerated() {
                #expect(transition.progress(atFrame: frame, of: rate) == (index, frames.count))
            }
        }
    }

    @Test("A transition of 1 s at 30 fps has 30 frames, and the first shows only the old clip")
    func plain() {
        let range = TimeRange(start: MediaTime(seconds: 4), duration: MediaTime(seconds: 1))
        let transition = Transition(kind: .wipeLeft, timeRange: range, from: [], to: [])
        #expect(transition.progress(atFrame: 120, of: FrameRate(30)) == (0, 30))
        #expect(transition.progress(atFrame: 149, of: FrameRate(30)) == (29, 30))
    }

    @Test("A transition shifted by whole frames keeps the progress of each frame", arguments: rates)
    func moved(top: Int64, bottom: Int64) throws {
        let rate = try #require(FrameRate(Rational(top, bottom)))
        var numbers = RandomNumbers(seed: 9)
        for _ in 0..<50 {
            let range = TimeRange(
                start: numbers.time(), duration: MediaTime(Rational(Int64.random(in: 1...300, using: &numbers), 101)))
            let transition = Transition(kind: .fade, timeRange: range, from: [], to: [])
            let frames = Int.random(in: -500...500, using: &numbers)
            var later = transition
            later.timeRange = range.shifted(by: rate.time(ofFrame: frames))
            for frame in rate.frames(in: range) {
                #expect(later.progress(atFrame: frame + frames, of: rate) == transition.progress(atFrame: frame, of: rate))
            }
        }
    }
}
