import DraftModel
import ExactTime
import ExportPlan
import Testing

@Suite("Lowering of sounds and their gains")
struct AudioLoweringTests {
    private let facts = [
        "a": SourceFacts.film("a"), "b": SourceFacts.film("b"), "i": SourceFacts.picture("i"),
        "m": SourceFacts.sound("m", seconds: Rational(3)), "silent": SourceFacts.film("silent", hasSound: false),
    ]

    @Test("A clip's sound has the clip's time range, source range, speed and pitch")
    func plain() throws {
        let clip = MainTrackClip.film("a", from: Rational(2), lasting: Rational(4)).with {
            $0.speed = .constant(Rational(2))
            $0.reverse = true
            $0.pitch = 3
            $0.timePitchAlgorithm = .varispeed
        }
        let input = try #require(try inputs([.film("b", lasting: Rational(1)), clip]).last)
        #expect(input.timeRange == TimeRange(Rational(1), Rational(3)))
        #expect(input.sourceRange == TimeRange(Rational(2), Rational(6)))
        #expect(input.speed == Rational(2))
        #expect(input.reversed)
        #expect(input.pitch == 3)
        #expect(!input.keepsPitch)
        #expect(input.gains.isEmpty)
    }

    @Test("A muted, silent or soundless clip has no audio input")
    func silence() throws {
        let clips = [
            MainTrackClip.film("a").with { $0.muted = true }, .film("a").with { $0.volume = 0 }, .image("i", lasting: .one),
            .film("silent"),
        ]
        #expect(try inputs(clips).isEmpty)
    }

    @Test("Volume ramps start at 1, keep their last value, and multiply with the volume")
    func ramps() throws {
        let clip = MainTrackClip.film("b", lasting: Rational(8)).with {
            $0.volume = 0.5
            $0.volumeRamps = [
                VolumeRamp(timeRange: TimeRange(Rational(1), Rational(2)), startVolume: 0.2, endVolume: 0.8),
                VolumeRamp(timeRange: TimeRange(Rational(4), Rational(6)), startVolume: 0.4, endVolume: 0),
            ]
        }
        let input = try #require(try inputs([.image("i", lasting: Rational(10)), clip]).first)
        // The clip's own time begins at 10 s.
        let expected: [(Rational, Double)] = [
            (Rational(10), 0.5), (Rational(109, 10), 0.5), (Rational(11), 0.1), (Rational(23, 2), 0.25), (Rational(12), 0.4),
            (Rational(13), 0.4), (Rational(139, 10), 0.4), (Rational(14), 0.2), (Rational(15), 0.1), (Rational(16), 0),
            (Rational(18), 0),
        ]
        for (time, loud) in expected { #expect(abs(gain(input, at: time) - loud) < 1e-12, "at \(time)") }
    }

    @Test("An animated volume follows its timing function in clip time and multiplies with ramps")
    func animatedVolume() throws {
        let clip = MainTrackClip.film("b", lasting: Rational(8)).with {
            $0.volumeRamps = [VolumeRamp(timeRange: TimeRange(Rational(4), Rational(6)), startVolume: 0.5, endVolume: 0.5)]
            $0.animations = [
                Animation(
                    keyPath: "volume",
                    KeyedCurve(
                        keyTimes: [MediaTime(seconds: 1), MediaTime(seconds: 3)], values: [0, 2],
                        timingFunctions: [.penner(.quad, .in)]))
            ]
        }
        let input = try #require(try inputs([.image("i", lasting: Rational(10)), clip]).first)
        let expected: [(Rational, Double)] = [
            (Rational(10), 0), (Rational(11), 0), (Rational(12), 0.5), (Rational(13), 2), (Rational(15), 1), (Rational(18), 1),
        ]
        for (time, loud) in expected { #expect(abs(gain(input, at: time) - loud) < 1e-12, "at \(time)") }
    }

    @Test("An animated volume with equal keyframes is constant, and a muted clip is silent")
    func flatVolume() throws {
        func clip(_ values: [Double]) -> MainTrackClip {
            MainTrackClip.film("a").with {
                $0.animations = [
                    Animation(keyPath: "volume", KeyedCurve(keyTimes: [.zero, MediaTime(seconds: 1)], values: values))
                ]
            }
        }
        #expect(try inputs([clip([0.5, 0.5])]).map(\.gains) == [[.constant(0.5)]])
        #expect(try inputs([clip([1, 1])]).map(\.gains) == [[]])
        #expect(try inputs([clip([0, 0])]).isEmpty)
        #expect(try inputs([clip([0, 1])]).count == 1 && inputs([clip([1, 0])]).count == 1)
        #expect(try inputs([clip([0, 1]).with { $0.muted = true }]).isEmpty)
    }

    @Test("A layer's animated volume runs in the layer's time, also in groups")
    func layerVolume() throws {
        var sample = SampleDraft([.film("silent")], facts: facts)
        var layer = DraftLayer(timeRange: TimeRange(Rational(1), Rational(5)), source: LayerSource(type: .video, url: "a"))
        layer.animations = [
            Animation(keyPath: "audio.volume", KeyedCurve(keyTimes: [.zero, MediaTime(seconds: 2)], values: [0, 1]))
        ]
        var group = DraftLayer(timeRange: TimeRange(Rational(2), Rational(9)), source: LayerSource(type: .group))
        group.source?.layers = [layer]
        sample.draft.layers = [layer, group]
        let sounds = try sample.compose().audioInputs
        #expect(sounds.count == 2)
        for (sound, start) in zip(sounds, [Rational(1), Rational(3)]) {
            #expect(gain(sound, at: start) == 0)
            #expect(gain(sound, at: start + Rational(1)) == 0.5)
            #expect(gain(sound, at: start + Rational(2)) == 1)
        }
    }

    @Test("During a crossfade the gains add up to 1 at every instant")
    func crossfade() throws {
        let sounds = try overlapping(.crossfade)
        for step in 0...20 {
            let time = Rational(8) + Rational(Int64(step), 10)
            #expect(abs(gain(sounds[0], at: time) + gain(sounds[1], at: time) - 1) < 1e-12)
        }
        #expect(gain(sounds[0], at: Rational(17, 2)) == 0.75)
        #expect(try overlapping(nil) == sounds)
    }

    @Test("During an equal-power crossfade the squares of the gains add up to 1")
    func equalPower() throws {
        let sounds = try overlapping(.equalPower)
        for step in 0...20 {
            let time = Rational(8) + Rational(Int64(step), 10)
            let (old, new) = (gain(sounds[0], at: time), gain(sounds[1], at: time))
            #expect(abs(old * old + new * new - 1) < 1e-12)
        }
        #expect(gain(sounds[0], at: Rational(8)) == 1)
        #expect(gain(sounds[1], at: Rational(8)) == 0)
    }

    @Test("An audio cut switches sounds in the middle of the overlap")
    func cut() throws {
        let sounds = try overlapping(.cut)
        for (time, old) in [(Rational(8), 1.0), (Rational(899, 100), 1), (Rational(9), 0), (Rational(10), 0)] {
            #expect(gain(sounds[0], at: time) == old)
            #expect(gain(sounds[1], at: time) == 1 - old)
        }
    }

    @Test("A clip between two transitions fades in and out")
    func bothSides() throws {
        let clips = [
            MainTrackClip.film("a"), .film("b").joined(Rational(1)), .film("a").joined(Rational(2)),
        ]
        let middle = try inputs(clips)[1]
        let expected: [(Int64, Double)] = [(90, 0), (95, 0.5), (100, 1), (150, 1), (170, 1), (180, 0.5), (190, 0)]
        for (tenths, loud) in expected { #expect(gain(middle, at: Rational(tenths, 10)) == loud, "at \(tenths)/10") }
    }

    @Test("An audio clip starts at its time and ends with its range or with the video")
    func soundClip() throws {
        let start = try sound { $0.startTimeAtMainTrack = MediaTime(Rational(5, 2)) }
        #expect(start.map(\.timeRange) == [TimeRange(Rational(5, 2), Rational(11, 2))])
        let late = try sound { $0.startTimeAtMainTrack = MediaTime(seconds: 8) }
        #expect(late.map(\.timeRange) == [TimeRange(Rational(8), Rational(10))])
        #expect(late.map(\.sourceRange) == [TimeRange(.zero, Rational(2))])
        #expect(try sound { $0.startTimeAtMainTrack = MediaTime(seconds: 10) }.isEmpty)
        let fast = try sound { $0.speed = Rational(2) }
        #expect(fast.map(\.timeRange) == [TimeRange(.zero, Rational(3, 2))])
    }

    @Test("A loop repeats its range, and the last repetition ends with the video")
    func loop() throws {
        let repetitions = try sound {
            $0.loop = true
            $0.startTimeAtMainTrack = MediaTime(seconds: 1)
            $0.timeRange = TimeRange(Rational(1), Rational(3))
            $0.speed = Rational(1, 2)
        }
        #expect(
            repetitions.map(\.timeRange) == [
                TimeRange(Rational(1), Rational(5)), TimeRange(Rational(5), Rational(9)), TimeRange(Rational(9), Rational(10)),
            ])
        #expect(
            repetitions.map(\.sourceRange) == [
                TimeRange(Rational(1), Rational(3)), TimeRange(Rational(1), Rational(3)), TimeRange(Rational(1), Rational(3, 2)),
            ])
    }

    @Test("Fades are at the start and end of the whole loop, not of each repetition")
    func fades() throws {
        let repetitions = try sound {
            $0.loop = true
            $0.volume = 0.5
            $0.fadeIn = MediaTime(seconds: 2)
            $0.fadeOut = MediaTime(seconds: 4)
        }
        #expect(repetitions.count == 4)
        let expected: [(Int, Rational, Double)] = [
            (0, .zero, 0), (0, Rational(1), 0.25), (0, Rational(2), 0.5), (1, Rational(5), 0.5), (2, Rational(6), 0.5),
            (2, Rational(8), 0.25), (3, Rational(9), 0.125), (3, Rational(10), 0),
        ]
        for (repetition, time, loud) in expected {
            #expect(abs(gain(repetitions[repetition], at: time) - loud) < 1e-12, "at \(time)")
        }
    }

    private func inputs(_ clips: [MainTrackClip]) throws -> [AudioInput] {
        try SampleDraft(clips + [.image("i", lasting: .one)], facts: facts).compose().audioInputs
    }

    /// Two clips of 10 s that overlap from 8 s to 10 s.
    private func overlapping(_ audio: DraftModel.Transition.Audio?) throws -> [AudioInput] {
        let sounds = try inputs([.film("a"), .film("b").joined(Rational(2), audio: audio)])
        return try #require(sounds.count == 2 ? sounds : nil)
    }

    /// An audio clip of 3 s beside a silent video of 10 s.
    private func sound(_ change: (inout AudioClip) -> Void) throws -> [AudioInput] {
        var sample = SampleDraft([.film("silent")], facts: facts)
        sample.draft.audioClips = [.sound("m", change)]
        return try sample.compose().audioInputs
    }
}
