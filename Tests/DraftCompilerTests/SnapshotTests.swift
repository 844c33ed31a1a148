import DraftCompiler
import DraftModel
import ExactTime
import ExportPlan
import TestSupport
import Testing
import Vocabulary

/// Snapshots of whole compiled drafts as readable files. Any change of the result appears in a diff.
@Suite("Snapshots of compositions and plans")
struct SnapshotTests {
    @Test("A film of two videos and a still with transitions and looped music matches its snapshot")
    func holiday() throws {
        try expectSnapshots(
            "holiday",
            SampleDraft(
                json: """
                    {
                      "version": 1, "title": "Holiday", "metadata": {"artist": "Ada"},
                      "videoSize": {"width": 1280, "height": 720}, "frameRate": "30/1",
                      "mainTrackClips": [
                        {"id": "a", "type": "av", "url": "beach.mp4", "timeRange": {"start": 2, "duration": 25}},
                        {"id": "b", "type": "image", "url": "card.png", "duration": 3,
                         "transition": {"type": "dissolve", "duration": 1}},
                        {"id": "c", "type": "av", "url": "sea.mp4", "timeRange": {"start": 0.1, "duration": 6}, "speed": 2,
                         "transition": {"type": "wipeLeft", "duration": 0.5, "audio": "equalPower"}}
                      ],
                      "audioClips": [
                        {"url": "music.m4a", "timeRange": {"start": 0, "duration": 8}, "volume": 0.6, "loop": true, "fadeOut": 2}
                      ]
                    }
                    """,
                facts: [
                    "beach.mp4": .film("beach", seconds: Rational(40)), "card.png": .picture("card"),
                    "sea.mp4": .film("sea", rate: FrameRate(25)), "music.m4a": .sound("music", seconds: Rational(200)),
                ]))
    }

    @Test("A portrait film with blur, reverse, rotation, crop and fades matches its snapshot")
    func portrait() throws {
        var sample = try SampleDraft(
            json: """
                {
                  "version": 1, "videoSize": {"width": 1080, "height": 1920}, "frameRate": "30000/1001",
                  "background": {"type": "blur", "radius": 24}, "timeRange": {"start": 0.5, "duration": 11},
                  "mainTrackClips": [
                    {"type": "av", "url": "room.mp4", "timeRange": {"start": 1, "duration": 6}, "reverse": true,
                     "preferredTransform": {"rotation": 90, "mirrored": true}, "opacity": 0.75,
                     "cropRect": {"x": 0, "y": 0.25, "width": 1, "height": 0.5, "unit": "ratio"},
                     "volumeRamps": [{"timeRange": {"start": 1, "duration": 2}, "startVolume": 0, "endVolume": 1}]},
                    {"type": "av", "url": "room.mp4", "durationAtMainTrack": 7.5, "timePitchAlgorithm": "varispeed",
                     "scalingMode": "aspectFill", "transition": {"type": "slideUp", "duration": "1/3", "audio": "cut"}}
                  ]
                }
                """,
            facts: ["room.mp4": .film("room", rate: FrameRate(Rational(30000, 1001)) ?? FrameRate(30))])
        sample.settings.preset = .size960x540
        sample.settings.sampleRate = 48_000
        try expectSnapshots("portrait", sample)
    }

    @Test("A silent film of pictures over a background picture matches its snapshot")
    func pictures() throws {
        try expectSnapshots(
            "pictures",
            SampleDraft(
                json: """
                    {
                      "version": 1, "frameRate": 25, "background": {"type": "image", "url": "wood.jpg"},
                      "mainTrackClips": [
                        {"type": "image", "url": "logo.png", "duration": 12.5, "scalingMode": "none"},
                        {"type": "image", "url": "wood.jpg", "duration": 0.02, "scalingMode": "fill",
                         "transition": {"type": "fade", "duration": 0.02}}
                      ]
                    }
                    """,
                facts: [
                    "wood.jpg": .picture("wood", size: FrameSize(width: 1001, height: 667)),
                    "logo.png": .picture("logo", size: FrameSize(width: 640, height: 359), hasAlpha: true),
                ]))
    }

    private func expectSnapshots(_ name: String, _ sample: SampleDraft) throws {
        let (composition, plan) = try sample.compile()
        #expect(try Snapshot("\(name).composition").compare(composition) == .matches)
        #expect(try Snapshot("\(name).plan").compare(plan) == .matches)
    }
}
