import DraftModel
import ExactTime
import ExportPlan
import TestSupport
import Vocabulary

/// A random main track whose length is counted exactly. Every time is a whole number of ticks, so that tests can
/// compare with integer arithmetic.
struct RandomDraft {
    /// Ranges are multiples of six ticks, so that every speed used gives whole ticks.
    static let ticksPerSecond = 3600

    var sample: SampleDraft
    /// The length of the film in ticks.
    var ticks: Int

    init(clipCount: Int, using numbers: inout RandomNumbers) {
        let facts = [
            "a": SourceFacts.film("a", seconds: Rational(60)),
            "b": SourceFacts.film("b", seconds: Rational(60), rate: FrameRate(25)),
            "c": SourceFacts.film("c", seconds: Rational(60), keyframeInterval: Rational(60), hasSound: false),
            "i": SourceFacts.picture("i"),
        ]
        var clips: [MainTrackClip] = []
        var lengths: [Int] = []
        var overlaps = 0
        for index in 0..<clipCount {
            var (clip, length) = RandomDraft.clip(using: &numbers)
            // At most half of the shorter neighbour, so that two overlaps never meet inside a clip.
            let longest = min(length, lengths.last ?? 0) / 2
            if index > 0, longest > 0, Int.random(in: 0..<3, using: &numbers) > 0 {
                let overlap = Int.random(in: 1...longest, using: &numbers)
                let kind = TransitionKind.builtIn.filter { $0 != .lumaMap }.randomElement(using: &numbers) ?? .fade
                let audio = DraftModel.Transition.Audio.allCases.randomElement(using: &numbers)
                clip = clip.joined(by: kind, RandomDraft.seconds(overlap), audio: audio)
                overlaps += overlap
            }
            clips.append(clip)
            lengths.append(length)
        }
        sample = SampleDraft(clips, facts: facts)
        ticks = lengths.reduce(0, +) - overlaps
    }

    private static func seconds(_ ticks: Int) -> Rational { Rational(Int64(ticks), Int64(ticksPerSecond)) }

    /// A clip that plays 0.01 to 25 s of its source, and its length in ticks.
    private static func clip(using numbers: inout RandomNumbers) -> (MainTrackClip, Int) {
        let length = Int.random(in: 6...(Bool.random(using: &numbers) ? 3000 : 15_000), using: &numbers) * 6
        if Int.random(in: 0..<4, using: &numbers) == 0 { return (.image("i", lasting: seconds(length)), length) }
        let speeds: [(Int64, Int64)] = [(1, 1), (1, 1), (2, 1), (3, 1), (1, 2), (3, 2)]
        let (top, bottom) = speeds[Int.random(in: 0..<speeds.count, using: &numbers)]
        let start = seconds(Int.random(in: 0...60_000, using: &numbers))
        let url = ["a", "b", "c"][Int.random(in: 0..<3, using: &numbers)]
        let clip = MainTrackClip.film(url, from: start, lasting: seconds(length)).with {
            if (top, bottom) != (1, 1) { $0.speed = .constant(Rational(top, bottom)) }
            if Int.random(in: 0..<4, using: &numbers) == 0 { $0.reverse = true }
            if Bool.random(using: &numbers) { $0.timePitchAlgorithm = .varispeed }
        }
        return (clip, length * Int(bottom) / Int(top))
    }
}
