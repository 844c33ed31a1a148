import DraftCompiler
import DraftModel
import ExactTime
import ExportPlan
import Testing
import TestSupport
import Vocabulary

@Suite("Diagnostics of the compiler")
struct DiagnosticTests {
    private let facts = [
        "a": SourceFacts.film("a"), "b": SourceFacts.film("b"), "i": SourceFacts.picture("i"), "m": SourceFacts.sound("m"),
        "silent": SourceFacts.film("silent", hasSound: false), "tall": SourceFacts.film("tall", quarterTurns: 1),
    ]

    @Test("A draft without clips and layers is an error")
    func noClips() {
        #expect(faults([]) == [Fault("mainTrackClips", .noClips)])
    }

    @Test("A duplicate id is an error at the second clip and names the first")
    func duplicateID() {
        let clip = MainTrackClip.film("a").with { $0.id = "x" }
        let diagnostics = SampleDraft([clip, .film("b"), clip], facts: facts).diagnostics()
        #expect(diagnostics.map { Fault($0.path, $0.code) } == [Fault("mainTrackClips[2].id", .duplicateID)])
        #expect(diagnostics.first?.message.contains("mainTrackClips[0]") == true)
    }

    @Test("A transition on the first clip is an error")
    func transitionOnFirstClip() {
        #expect(
            faults([.film("a").joined(Rational(1)), .film("b")]) == [
                Fault("mainTrackClips[0].transition", .transitionOnFirstClip)
            ])
    }

    @Test("Transitions that overlap inside a clip are one error")
    func transitionsMeet() {
        let clips = [
            MainTrackClip.film("a"), .film("b", lasting: Rational(2)).joined(Rational(3, 2)), .film("a").joined(Rational(1)),
        ]
        #expect(faults(clips) == [Fault("mainTrackClips[2].transition.duration", .transitionTooLong)])
    }

    @Test("A transition longer than either of its clips is one error at its duration")
    func transitionTooLong() {
        let expected = [Fault("mainTrackClips[1].transition.duration", .transitionTooLong)]
        #expect(faults([.film("a", lasting: Rational(2)), .film("b").joined(Rational(5))]) == expected)
        #expect(faults([.film("a"), .film("b", lasting: Rational(2)).joined(Rational(5))]) == expected)
    }

    @Test("A transition longer than both of its clips is one error with one message")
    func transitionLongerThanBoth() {
        let clips = [MainTrackClip.film("a", lasting: Rational(2)), .film("b", lasting: Rational(2)).joined(Rational(5))]
        #expect(faults(clips) == [Fault("mainTrackClips[1].transition.duration", .transitionTooLong)])
    }

    @Test("A range that starts at or after its source's end is an error")
    func emptyRange() {
        let expected = [Fault("mainTrackClips[0].timeRange.start", .emptyRange)]
        #expect(faults([.film("a", from: Rational(10), lasting: Rational(1))]) == expected)
        #expect(faults([.film("a", from: Rational(11), lasting: Rational(1))]) == expected)
        #expect(faults([.film("a", from: Rational(999, 100), lasting: Rational(1))]).isEmpty)
        var sample = SampleDraft([.film("a")], facts: facts)
        sample.draft.timeRange = TimeRange(Rational(10), Rational(11))
        #expect(sample.faults() == [Fault("timeRange", .emptyRange)])
        sample.draft.timeRange = nil
        sample.draft.audioClips = [.sound("m") { $0.timeRange = TimeRange(Rational(10), Rational(12)) }]
        #expect(sample.faults() == [Fault("audioClips[0].timeRange.start", .emptyRange)])
    }

    @Test("A still picture as an av clip, and a video or a sound as an image, are errors")
    func wrongKind() {
        #expect(faults([.film("i")]) == [Fault("mainTrackClips[0].type", .invalidValue)])
        #expect(faults([.image("a", lasting: Rational(3))]) == [Fault("mainTrackClips[0].type", .invalidValue)])
        #expect(faults([.film("a"), .image("m", lasting: Rational(3))]) == [Fault("mainTrackClips[1].url", .unreadableSource)])
    }

    @Test("An animated picture can be an image or an av clip, but not a luma map")
    func animatedPicture() {
        var sticker = SourceFacts.film("sticker", hasSound: false)
        sticker.video?.isAnimatedPicture = true
        var all = facts
        all["sticker"] = sticker
        func faults(_ clips: [MainTrackClip]) -> [Fault] { SampleDraft(clips, facts: all).faults() }
        #expect(faults([.image("sticker", lasting: Rational(3))]) == [])
        #expect(faults([.film("sticker")]) == [])
        let mapped = MainTrackClip.film("a").joined(by: .lumaMap, Rational(1)).with { $0.transition?.url = "sticker" }
        #expect(faults([.film("a"), mapped]) == [Fault("mainTrackClips[1].transition.url", .invalidValue)])
    }

    @Test("A crop outside the upright picture is an error")
    func cropOutside() {
        let expected = [Fault("mainTrackClips[0].cropRect", .outOfRange)]
        func cropped(_ url: String, _ width: Int, _ height: Int) -> [Fault] {
            faults([.film(url).with { $0.cropRect = Rect(x: .zero, y: .zero, width: Rational(width), height: Rational(height)) }])
        }
        #expect(cropped("a", 1920, 1080).isEmpty)
        #expect(cropped("a", 1921, 1080) == expected)
        #expect(cropped("a", 1080, 1920) == expected)
        // The file is rotated by 90 degrees.
        #expect(cropped("tall", 1080, 1920).isEmpty)
        #expect(cropped("tall", 1920, 1080) == expected)
    }

    @Test("A crop is measured after the clip's own orientation, which replaces that of the file")
    func cropAfterTransform() {
        func cropped(_ width: Int, _ height: Int) -> [Fault] {
            faults([
                .film("a").with {
                    $0.preferredTransform = PreferredTransform(rotation: 90)
                    $0.cropRect = Rect(x: .zero, y: .zero, width: Rational(width), height: Rational(height))
                }
            ])
        }
        #expect(cropped(1080, 1920).isEmpty)
        #expect(cropped(1920, 1080) == [Fault("mainTrackClips[0].cropRect", .outOfRange)])
    }

    @Test("A speed that contradicts the duration on the main track is an error")
    func conflict() {
        func clip(_ speed: Int, _ duration: Int) -> MainTrackClip {
            MainTrackClip.film("a", lasting: Rational(8)).with {
                $0.speed = .constant(Rational(speed))
                $0.durationAtMainTrack = MediaTime(seconds: duration)
            }
        }
        #expect(faults([clip(2, 4)]).isEmpty)
        #expect(faults([clip(2, 5)]) == [Fault("mainTrackClips[0].durationAtMainTrack", .conflict)])
    }

    @Test("A speed that contradicts the duration is an error also without a time range")
    func conflictOverWholeSource() {
        let clip = MainTrackClip.film("a").with {
            $0.speed = .constant(Rational(2))
            $0.durationAtMainTrack = MediaTime(seconds: 10)
        }
        #expect(faults([clip]) == [Fault("mainTrackClips[0].durationAtMainTrack", .conflict)])
        #expect(faults([clip.with { $0.durationAtMainTrack = MediaTime(seconds: 5) }]).isEmpty)
    }

    @Test("A duration on the main track that needs a speed outside 1/10...16 is an error")
    func impliedSpeed() {
        for (duration, isFine) in [
            (Rational(1, 2), false), (Rational(5, 8), true), (Rational(100), true), (Rational(101), false),
        ] {
            let clip = MainTrackClip.film("a").with { $0.durationAtMainTrack = MediaTime(duration) }
            #expect(faults([clip]) == (isFine ? [] : [Fault("mainTrackClips[0].durationAtMainTrack", .outOfRange)]))
        }
    }

    @Test("A film without a picture needs a size")
    func missingSize() {
        var sample = SampleDraft([.film("m")], facts: facts)
        #expect(sample.faults() == [Fault("videoSize", .missingField)])
        sample.draft.videoSize = PixelSize(width: 320, height: 240)
        #expect(sample.faults().isEmpty)
    }

    @Test("An audio clip without sound, a loop of 0.05 s and a background without a picture are errors")
    func otherSources() {
        var sample = SampleDraft([.film("a")], facts: facts)
        sample.draft.audioClips = [
            .sound("silent"),
            .sound("m") {
                $0.loop = true
                $0.timeRange = TimeRange(.zero, Rational(1, 20))
            },
        ]
        sample.draft.background = Background(type: .image, url: "m")
        #expect(
            sample.faults() == [
                Fault("audioClips[0].url", .unreadableSource), Fault("audioClips[1].timeRange.duration", .outOfRange),
                Fault("background.url", .unreadableSource),
            ])
    }

    @Test("Faults in different places are reported together")
    func together() {
        let clips = [
            MainTrackClip.film("a").with { $0.id = "x" }, .film("b", from: Rational(20), lasting: Rational(1)),
            .film("a").with { $0.id = "x" }, .film("i"),
        ]
        #expect(
            Set(faults(clips).map(\.description))
                == Set(
                    [
                        Fault("mainTrackClips[1].timeRange.start", .emptyRange), Fault("mainTrackClips[2].id", .duplicateID),
                        Fault("mainTrackClips[3].type", .invalidValue),
                    ].map(\.description)))
    }

    @Test("A fault of one clip does not hide a transition that is too long between others")
    func notHidden() {
        let clips = [
            MainTrackClip.film("a").with { $0.id = "x" }, .film("b").with { $0.id = "x" },
            .film("a", lasting: Rational(2)), .film("b").joined(Rational(5)),
        ]
        #expect(
            faults(clips) == [
                Fault("mainTrackClips[1].id", .duplicateID), Fault("mainTrackClips[3].transition.duration", .transitionTooLong),
            ])
    }

    @Test("Diagnostics from reading come first, and their places are not checked again")
    func reported() {
        let known = DraftDiagnostic(path: "mainTrackClips[0].url", code: .missingSource, message: "gone")
        let sample = SampleDraft([.film("gone"), .film("i")], facts: facts)
        let found = sample.diagnostics(reported: [known])
        #expect(found.first == known)
        #expect(found.dropFirst().map(\.path) == ["mainTrackClips[1].type"])
        let unread = DraftDiagnostic(path: "mainTrackClips", code: .missingField, message: "is required")
        #expect(SampleDraft([], facts: [:]).diagnostics(reported: [unread]) == [unread])
    }

    @Test("Every use of a source is listed in the draft's order with its need")
    func sourceUses() {
        var draft = SampleDraft([.film("a"), .image("i", lasting: .one), .film("a")], facts: facts).draft
        draft.background = Background(type: .image, url: "back")
        draft.audioClips = [.sound("m")]
        let uses = SourceUse.all(in: draft)
        #expect(uses.map(\.path) == ["background.url"] + (0...2).map { "mainTrackClips[\($0)].url" } + ["audioClips[0].url"])
        #expect(uses.map(\.url) == ["back", "a", "i", "a", "m"])
        #expect(uses.map(\.need) == [.picture, .pictureOrSound, .picture, .pictureOrSound, .sound])
    }

    @Test("A luma map must be a still picture, and it is listed as a source")
    func lumaMaps() {
        func mapped(_ url: String?) -> [MainTrackClip] {
            [.film("a"), .film("b").joined(by: .lumaMap, Rational(1)).with { $0.transition?.url = url }]
        }
        #expect(faults(mapped("i")) == [])
        #expect(faults(mapped(nil)) == [Fault("mainTrackClips[1].transition.url", .missingField)])
        #expect(
            SampleDraft(mapped(nil), facts: facts).diagnostics().map(\.message) == ["is required: a greyscale picture"])
        #expect(faults(mapped("b")) == [Fault("mainTrackClips[1].transition.url", .invalidValue)])
        #expect(faults(mapped("m")) == [Fault("mainTrackClips[1].transition.url", .unreadableSource)])
        let uses = SourceUse.all(in: SampleDraft(mapped("i"), facts: facts).draft)
        #expect(uses.map(\.path).last == "mainTrackClips[1].transition.url")
        #expect(uses.last?.need == .picture)
    }

    private func faults(_ clips: [MainTrackClip]) -> [Fault] { SampleDraft(clips, facts: facts).faults() }
}
