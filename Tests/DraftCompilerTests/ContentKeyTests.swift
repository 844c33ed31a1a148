import DraftModel
import ExactTime
import ExportPlan
import Testing
import Vocabulary

/// Equal slices have equal keys, and different slices have different keys. An artifact whose key exists is not made
/// again.
@Suite("Content keys")
struct ContentKeyTests {
    private let facts = [
        "a": SourceFacts.film("a", seconds: Rational(120)), "b": SourceFacts.film("b", seconds: Rational(120)),
        "m": SourceFacts.sound("m", seconds: Rational(300)),
    ]

    @Test("A key is a sha256 in hexadecimal, and the same draft gives the same plan")
    func stable() throws {
        let sample = SampleDraft([.film("a"), .film("b").joined(Rational(1))], facts: facts)
        let plan = try sample.plan()
        #expect(try sample.plan() == plan)
        for key in keys(plan) { #expect(key.text.count == 64 && key.text.allSatisfy { $0.isHexDigit && !$0.isUppercase }) }
        #expect(keys(plan).count == plan.videoSegments.count + plan.audioSegments.count + 2)
    }

    @Test("A slice that occurs twice in a film has one key")
    func repeated() throws {
        let clip = MainTrackClip.film("a", from: Rational(3), lasting: Rational(6))
        let plan = try SampleDraft([clip, .film("b", lasting: Rational(2)), clip], facts: facts).plan()
        #expect(plan.videoSegments.count == 3)
        #expect(plan.videoSegments[0].key == plan.videoSegments[2].key)
        #expect(plan.videoSegments[0].key != plan.videoSegments[1].key)
        // Sound is cut where a clip starts 10 s or more after the last cut.
        let (long, other) = (MainTrackClip.film("a", lasting: Rational(10)), MainTrackClip.film("b", lasting: Rational(10)))
        let sound = try SampleDraft([long, other, long], facts: facts).plan().audioSegments
        #expect(sound.count == 3)
        #expect(sound.first?.key == sound.last?.key)
    }

    @Test("A clip that is moved by whole frames keeps the keys of all its segments", arguments: filmRates)
    func moved(top: Int64, bottom: Int64) throws {
        let rate = try #require(FrameRate(Rational(top, bottom)))
        let clip = MainTrackClip.film("a", from: Rational(1), lasting: Rational(100))
        for frames in [1, 2, 25, 100, 1001] {
            var here = SampleDraft([clip], facts: facts)
            var later = SampleDraft([.film("b", lasting: rate.time(ofFrame: frames).seconds), clip], facts: facts)
            here.draft.frameRate = rate
            later.draft.frameRate = rate
            let expected = try here.plan().videoSegments.map(\.key)
            #expect(expected.count > 10)
            #expect(try later.plan().videoSegments.map(\.key).suffix(expected.count) == expected[...])
        }
    }

    @Test("A clip that is moved by whole samples keeps the keys of its sound")
    func movedSound() throws {
        let clip = MainTrackClip.film("a", from: Rational(1), lasting: Rational(100))
        let here = try SampleDraft([clip], facts: facts).plan()
        let later = try SampleDraft([.film("b", lasting: Rational(7, 3)), clip], facts: facts).plan()
        #expect(here.audioSegments.count > 8)
        #expect(later.audioSegments.map(\.key).suffix(here.audioSegments.count) == here.audioSegments.map(\.key)[...])
    }

    @Test("A long clip that is trimmed by whole frames keeps the keys of its inner segments")
    func trimmed() throws {
        let whole = try SampleDraft([.film("a")], facts: facts).plan()
        for (start, length) in [
            (Rational(1), Rational(119)), (Rational(37, 3), Rational(60)), (.zero, Rational(61)), (Rational(50), Rational(13)),
        ] {
            let trimmed = try SampleDraft([.film("a", from: start, lasting: length)], facts: facts).plan()
            let inner = trimmed.videoSegments.dropFirst().dropLast().map(\.key)
            #expect(Set(inner).isSubset(of: whole.videoSegments.map(\.key)), "from \(start) for \(length)")
            #expect(Rational(inner.count) >= length / Rational(10) - Rational(2))
        }
    }

    @Test("A transition before a clip changes none of the clip's inner segments")
    func transitionAdded() throws {
        let plain = try SampleDraft([.film("b", lasting: Rational(4)), .film("a")], facts: facts).plan()
        let joined = try SampleDraft([.film("b", lasting: Rational(4)), .film("a").joined(Rational(1))], facts: facts).plan()
        let inner = joined.videoSegments.suffix(10).map(\.key)
        #expect(Set(inner).isSubset(of: plain.videoSegments.map(\.key)))
    }

    @Test("An audio segment outside a fade has the same key as without the fade")
    func untouchedByFade() throws {
        func plan(_ change: (inout AudioClip) -> Void) throws -> RenderPlan {
            var sample = SampleDraft([.film("a").with { $0.muted = true }], facts: facts)
            sample.draft.audioClips = [.sound("m", change)]
            return try sample.plan()
        }
        let plain = try plan { _ in }
        let faded = try plan { $0.fadeIn = MediaTime(seconds: 2) }
        #expect(plain.audioSegments.count > 10)
        #expect(faded.audioSegments.first?.key != plain.audioSegments.first?.key)
        #expect(faded.audioSegments.dropFirst().map(\.key) == plain.audioSegments.dropFirst().map(\.key))
    }

    @Test("A video segment outside an animation has the same key as with another animation")
    func untouchedByAnimation() throws {
        let fade = Animation(keyPath: "opacity", KeyedCurve(keyTimes: [.zero, MediaTime(seconds: 2)], values: [0, 1]))
        let plain = try SampleDraft([.film("a")], facts: facts).plan().videoSegments.map(\.key)
        let moving = try SampleDraft([.film("a").with { $0.animations = [fade] }], facts: facts).plan().videoSegments
        #expect(moving.count > 10)
        // The background lies below a clip that is transparent for a time, in every segment. The keys therefore differ
        // from those without an animation, and are compared with those of a slower fade.
        var slow = fade
        slow.curve.values = [0.5, 1]
        let slower = try SampleDraft([.film("a").with { $0.animations = [slow] }], facts: facts).plan().videoSegments.map(\.key)
        #expect(moving[0].key != plain[0] && moving[0].key != slower[0])
        #expect(moving.map(\.key).dropFirst() == slower.dropFirst())
    }

    @Test("A change that affects the picture changes the key of every video segment", arguments: PictureChange.allCases)
    func pictureChange(change: PictureChange) throws {
        let sample = SampleDraft([.film("a", lasting: Rational(30))], facts: facts)
        var changed = sample
        change.apply(to: &changed)
        let before = Set(try sample.plan().videoSegments.map(\.key))
        let after = Set(try changed.plan().videoSegments.map(\.key))
        #expect(before.count > 3 && after.count > 3)
        #expect(before.isDisjoint(with: after))
    }

    @Test("A change that affects the sound changes the key of every audio segment", arguments: SoundChange.allCases)
    func soundChange(change: SoundChange) throws {
        let sample = SampleDraft([.film("a", lasting: Rational(60))], facts: facts)
        var changed = sample
        change.apply(to: &changed)
        let (before, after) = (try sample.plan(), try changed.plan())
        #expect(Set(before.audioSegments.map(\.key)).isDisjoint(with: after.audioSegments.map(\.key)))
        #expect(before.soundtrack?.key != after.soundtrack?.key)
        #expect(before.stitch.key != after.stitch.key)
    }

    @Test("Title and file type change only the stitch, and the audio bitrate changes only the soundtrack")
    func laterStages() throws {
        let sample = SampleDraft([.film("a", lasting: Rational(30))], facts: facts)
        let before = try sample.plan()
        for change in [{ $0.draft.title = "x" }, { $0.settings.fileType = .mov }] as [(inout SampleDraft) -> Void] {
            var changed = sample
            change(&changed)
            let after = try changed.plan()
            #expect(after.videoSegments == before.videoSegments)
            #expect(after.soundtrack == before.soundtrack)
            #expect(after.stitch.key != before.stitch.key)
        }
        var quieter = sample
        quieter.settings.audioBitrate = 64_000
        let after = try quieter.plan()
        #expect(after.videoSegments == before.videoSegments)
        #expect(after.audioSegments == before.audioSegments)
        #expect(after.soundtrack?.key != before.soundtrack?.key)
    }

    @Test("A file type without sound has no audio segments, and its video segments have other keys")
    func silentFile() throws {
        var gif = SampleDraft([.film("a")], facts: facts)
        let film = try gif.plan()
        gif.settings.fileType = .gif
        let plan = try gif.plan()
        #expect(plan.audioSegments.isEmpty)
        #expect(plan.soundtrack == nil)
        #expect(plan.videoSegments.map(\.frames) == film.videoSegments.map(\.frames))
        #expect(Set(plan.videoSegments.map(\.key)).isDisjoint(with: film.videoSegments.map(\.key)))
    }

    @Test(
        "A named quality gives the film of its factor, and of the preset with that quality",
        arguments: [
            (VideoCodec.h264, [18.0, 20, 23, 28]), (.hevc, [20, 22, 26, 31]), (.vp9, [24, 28, 33, 42]),
            (.av1, [24, 28, 33, 42]),
        ])
    func grades(_ codec: VideoCodec, _ factors: [Double]) throws {
        func film(_ change: (inout ExportSettings) -> Void) throws -> [ArtifactKey] {
            var sample = SampleDraft([.film("a")], facts: facts)
            sample.settings.videoCodec = codec
            sample.settings.fileType = codec == .h264 ? .mp4 : .mkv
            change(&sample.settings)
            return keys(try sample.plan())
        }
        for (grade, factor) in zip(QualityGrade.allCases, factors) {
            #expect(try film { $0.videoQuality = .grade(grade) } == film { $0.videoQuality = .factor(factor) }, "\(grade)")
        }
        #expect(try film { $0.videoQuality = .grade(.low) } == film { $0.preset = .lowQuality })
    }

    private func keys(_ plan: RenderPlan) -> [ArtifactKey] {
        plan.videoSegments.map(\.key) + plan.audioSegments.map(\.key)
            + [plan.soundtrack?.key, plan.stitch.key].compactMap(\.self)
    }
}

/// A property that affects every frame of a film.
enum PictureChange: CaseIterable {
    case quality, encoderSpeed, keyframeInterval, preset, size, rate, sourceBytes, speed, phase, opacity, crop, turn,
        reverse

    func apply(to sample: inout SampleDraft) {
        let clip = sample.draft.mainTrackClips[0]
        switch self {
        case .quality: sample.settings.videoQuality = .factor(20)
        case .encoderSpeed: sample.settings.encoderSpeed = .fast
        case .keyframeInterval: sample.settings.maxKeyframeInterval = .one
        case .preset: sample.settings.preset = .size640x480
        case .size: sample.draft.videoSize = PixelSize(width: 1920, height: 1082)
        case .rate: sample.draft.frameRate = FrameRate(25)
        case .sourceBytes: sample.facts["a"]?.contentHash = String(repeating: "f", count: 64)
        case .speed: sample.draft.mainTrackClips[0] = clip.with { $0.speed = .constant(Rational(101, 100)) }
        // A start between two frames shifts every frame of the clip.
        case .phase: sample.draft.mainTrackClips[0] = .film("a", from: Rational(1, 100), lasting: Rational(30))
        case .opacity: sample.draft.mainTrackClips[0] = clip.with { $0.opacity = 0.5 }
        case .crop:
            sample.draft.mainTrackClips[0] = clip.with {
                $0.cropRect = Rect(x: .one, y: .zero, width: Rational(99), height: Rational(99))
            }
        case .turn: sample.draft.mainTrackClips[0] = clip.with { $0.preferredTransform = PreferredTransform(rotation: 180) }
        case .reverse: sample.draft.mainTrackClips[0] = clip.with { $0.reverse = true }
        }
    }
}

/// A property that affects every sample of a film.
enum SoundChange: CaseIterable {
    case sampleRate, channels, sourceBytes, speed, pitch, volume, reverse

    func apply(to sample: inout SampleDraft) {
        let clip = sample.draft.mainTrackClips[0]
        switch self {
        case .sampleRate: sample.settings.sampleRate = 48_000
        case .channels: sample.settings.channels = 1
        case .sourceBytes: sample.facts["a"]?.contentHash = String(repeating: "f", count: 64)
        case .speed: sample.draft.mainTrackClips[0] = clip.with { $0.speed = .constant(Rational(2)) }
        case .pitch: sample.draft.mainTrackClips[0] = clip.with { $0.pitch = 1 }
        case .volume: sample.draft.mainTrackClips[0] = clip.with { $0.volume = 0.5 }
        case .reverse: sample.draft.mainTrackClips[0] = clip.with { $0.reverse = true }
        }
    }
}
