import DraftModel
import ExactTime
import ExportPlan
import TestSupport
import Testing

@Suite("Slices of audio segments")
struct SoundSliceTests {
    @Test("No cut falls inside a time-stretched sound", arguments: [1, 2, 3, 4, 5])
    func stretched(seed: UInt64) throws {
        var numbers = RandomNumbers(seed: seed)
        var sample = RandomDraft(clipCount: 15, using: &numbers).sample
        // A time-stretched audio clip that extends over several clips, in addition to the clips' own sounds.
        sample.draft.audioClips = [
            .sound("m") {
                $0.pitch = 2
                $0.startTimeAtMainTrack = MediaTime(seconds: 20)
            }
        ]
        sample.facts["m"] = .sound("m", seconds: Rational(45))
        let (composition, plan) = try sample.compile()
        let stretched = composition.audioInputs.filter(\.needsStretching)
        #expect(stretched.count > 1)
        for input in stretched {
            let first = input.timeRange.start.rounded(toRate: 44_100)
            let end = input.timeRange.end.rounded(toRate: 44_100)
            let inside = plan.audioSegments.map(\.firstSample).filter { first < $0 && $0 < end }
            #expect(inside.isEmpty, "\(input.timeRange) is cut at \(inside)")
        }
    }

    @Test("A time-stretched sound stays whole and has the number of its source samples")
    func wholeStretch() throws {
        let clip = MainTrackClip.film("a", from: Rational(1), lasting: Rational(30)).with { $0.speed = .constant(Rational(3, 2)) }
        let plan = try SampleDraft([clip], facts: ["a": .film("a", seconds: Rational(60))]).plan()
        #expect(plan.audioSegments.count == 1)
        let input = try #require(plan.audioSegments.first?.slice.inputs.first)
        #expect(input.sampleCount == 20 * 44_100)
        #expect(input.timeStretch == AudioSliceInput.TimeStretch(sourceSampleCount: 30 * 44_100, pitch: 0))
        #expect(input.sourceSample == 44_100)
        #expect(input.playbackRate == .one)
    }

    @Test("A varispeed sound is resampled at its speed")
    func varispeed() throws {
        let clip = MainTrackClip.film("a", from: Rational(3), lasting: Rational(30)).with {
            $0.speed = .constant(Rational(3, 2))
            $0.timePitchAlgorithm = .varispeed
        }
        let input = try #require(
            SampleDraft([clip], facts: ["a": .film("a", seconds: Rational(60))]).plan().audioSegments.first?.slice.inputs.first)
        #expect(input.playbackRate == Rational(3, 2))
        #expect(input.timeStretch == nil)
        // At 1.5 times the speed, source second 3 is second 2 of the resampled sound.
        #expect(input.sourceSample == 2 * 44_100)
    }

    @Test("A sound cut into segments continues at the next sample, forwards and backwards", arguments: [false, true])
    func continuous(reversed: Bool) throws {
        let clip = MainTrackClip.film("a", from: Rational(1, 7), lasting: Rational(50)).with { $0.reverse = reversed }
        let plan = try SampleDraft(
            [.image("i", lasting: Rational(1, 3)), clip], facts: ["a": .film("a", seconds: Rational(60)), "i": .picture("i")]
        )
        .plan()
        var inputs: [(film: Int, input: AudioSliceInput)] = []
        for segment in plan.audioSegments {
            for input in segment.slice.inputs {
                #expect(input.firstSample >= 0 && input.firstSample + input.sampleCount <= segment.slice.sampleCount)
                inputs.append((segment.firstSample + input.firstSample, input))
            }
        }
        #expect(inputs.count > 3)
        #expect(inputs.first?.film == 14_700)
        #expect(inputs.map(\.input.sampleCount).reduce(0, +) == 50 * 44_100)
        // 1/7 s is sample 6300. In reverse the last sample before 50 1/7 s plays first.
        #expect(inputs.first?.input.sourceSample == (reversed ? 6300 + 50 * 44_100 - 1 : 6300))
        for (before, after) in zip(inputs, inputs.dropFirst()) {
            #expect(after.film == before.film + before.input.sampleCount)
            let step = reversed ? -before.input.sampleCount : before.input.sampleCount
            #expect(after.input.sourceSample == before.input.sourceSample + step)
        }
    }

    @Test("A segment has the gains of the composition at each instant and lists only audible sources")
    func gains() throws {
        let clips = [
            MainTrackClip.film("a", lasting: Rational(30)),
            .film("a", from: Rational(5), lasting: Rational(40)).joined(Rational(4)),
        ]
        var sample = SampleDraft(clips, facts: ["a": .film("a", seconds: Rational(60)), "m": .sound("m", seconds: Rational(7))])
        sample.draft.audioClips = [
            .sound("m") {
                $0.fadeIn = MediaTime(seconds: 3)
                $0.fadeOut = MediaTime(seconds: 3)
            }
        ]
        let (composition, plan) = try sample.compile()
        for segment in plan.audioSegments {
            for step in 0..<20 {
                let within = segment.slice.sampleCount * step / 20
                let time = MediaTime(index: segment.firstSample + within, rate: 44_100)
                let expected = composition.audioInputs.filter { $0.timeRange.contains(time) }.map { gain($0, at: time.seconds) }
                let heard = segment.slice.inputs.filter { $0.firstSample..<$0.firstSample + $0.sampleCount ~= within }
                let found = heard.map { gain($0.gains, at: MediaTime(index: within, rate: 44_100).seconds) }
                #expect(found.count == expected.count)
                for (found, expected) in zip(found, expected) { #expect(abs(found - expected) < 1e-9, "at \(time)") }
            }
        }
        #expect(plan.audioSegments.last?.slice.sources == [sample.facts["a"]?.contentHash ?? ""])
    }
}
