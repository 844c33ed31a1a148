import DraftModel
import ExactTime
import TestSupport
import Testing
import Vocabulary

/// Fields that change time, and fields for sound.
@Suite("Reading time effects and sound fields")
struct TimeAndSoundTests {
    private static let range = #""timeRangeAtMainTrack": {"start": 1, "duration": "1/3"}"#

    @Test("Time effects are read with all their fields")
    func effects() throws {
        let (read, faults) = Draft.read(
            .init(
                DraftText.with(
                    """
                    "effects": [{"type": "speed", "speed": "3/2", \(TimeAndSoundTests.range)}, {"type": "repeat", "count": 4},
                      {"type": "freeze", "duration": 0.5, "audio": "continue", \(TimeAndSoundTests.range)}]
                    """
                ).utf8))
        #expect(faults.isEmpty)
        let effects = try #require(read?.effects)
        #expect(effects.map(\.type) == [.speed, .repetition, .freeze])
        #expect(effects[0].speed == Rational(3, 2))
        #expect(effects[0].timeRangeAtMainTrack == TimeRange(start: MediaTime(seconds: 1), duration: MediaTime(Rational(1, 3))))
        #expect(effects[1].count == 4)
        #expect(effects[2].duration == MediaTime(Rational(1, 2)) && effects[2].audio == .continue)
    }

    @Test("A clip's speed is a number or a curve, and ducking is a gain or an object")
    func alternatives() throws {
        let curve = try #require(
            Draft.read(
                .init(
                    DraftText.withClip(#""speed": {"keyTimes": [0, "1/2"], "values": [1, 4], "timingFunctions": ["easeIn"]}"#)
                        .utf8)
            )
            .0)
        #expect(
            curve.mainTrackClips.first?.speed
                == .curve(
                    KeyedCurve(keyTimes: [.zero, MediaTime(Rational(1, 2))], values: [1, 4], timingFunctions: [.easeIn])))
        let duck = try #require(
            Draft.read(
                .init(DraftText.withAudioClip(#""duck": {"gain": 0.2, "hold": 1}, "fadeIn": 1, "fadeInCurve": "hsin""#).utf8)
            ).0)
        #expect(duck.audioClips?.first?.duck == Ducking(gain: 0.2, hold: MediaTime(seconds: 1)))
        #expect(duck.audioClips?.first?.fadeInCurve == .hsin)
        #expect(
            try #require(Draft.read(.init(DraftText.withAudioClip(#""duck": 0.5"#).utf8)).0).audioClips?.first?.duck
                == Ducking(gain: 0.5))
    }

    @Test(
        "A contradicting or faulty field is one error at its path",
        arguments: [
            (DraftText.with(#""effects": [{"type": "speed"}]"#), "effects[0].speed", DraftDiagnostic.Code.missingField),
            (DraftText.with(#""effects": [{"type": "speed", "speed": 17}]"#), "effects[0].speed", .outOfRange),
            (DraftText.with(#""effects": [{"type": "repeat", "count": 0}]"#), "effects[0].count", .outOfRange),
            (DraftText.with(#""effects": [{"type": "freeze", "duration": 0}]"#), "effects[0].duration", .outOfRange),
            (
                DraftText.withClip(#""speed": {"keyTimes": [0, 1], "values": [1, 20]}"#), "mainTrackClips[0].speed.values[1]",
                .outOfRange
            ),
            (
                DraftText.withClip(#""speed": {"keyTimes": [1, 1], "values": [1, 2]}"#), "mainTrackClips[0].speed.keyTimes[1]",
                .invalidValue
            ),
            (DraftText.withAudioClip(#""speed": {"keyTimes": [0], "values": [1]}"#), "audioClips[0].speed", .conflict),
            (DraftText.withAudioClip(#""duck": 1.5"#), "audioClips[0].duck", .outOfRange),
            (DraftText.withAudioClip(#""duck": {"gain": 0.5, "attack": 3}"#), "audioClips[0].duck.attack", .outOfRange),
            (DraftText.with(#""audio": {"loudness": 3}"#), "audio.loudness", .outOfRange),
            (DraftText.with(#""audio": {"truePeak": -1}"#), "audio.truePeak", .conflict),
        ])
    func faults(_ text: String, _ path: String, _ code: DraftDiagnostic.Code) {
        #expect(Draft.faults(in: text) == [Fault(path, code)])
    }
}
