import DraftModel
import ExactTime
import Recorder
import Testing
import Vocabulary
import FoundationEssentials

/// The drafts that a recording makes.
@Suite("The drafts of a recording") struct RecordingDraftTests {
    private func settings(_ json: String) throws -> RecordingSettings {
        let (settings, faults) = RecordingSettings.read(Data(json.utf8))
        #expect(faults == [])
        return try #require(settings)
    }

    @Test("A recording's draft has its clips in order with speed and volume, and the music beside them")
    func finished() throws {
        var recording = Recording(
            try settings(
                """
                {"videoSize": {"width": 720, "height": 1280}, "frameRate": 25, "maxDuration": 5, "mute": true,
                 "watermark": {"url": "mark.png", "destRect": {"x": 0, "y": 0, "width": 10, "height": 10}},
                 "backgroundMusic": {"url": "song.m4a", "timeRange": {"start": 1, "duration": 2}, "volume": 0.5, "loop": true}}
                """))
        for (clip, frames) in [(ClipSettings(speed: Rational(2), volume: 0.25), 100), (ClipSettings(speed: Rational(1, 3)), 26)] {
            let take = try recording.begin(clip)
            try recording.record(take.number, frameCount: frames)
        }
        let draft = recording.draft { "clip-\($0.number).mp4" }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = String(decoding: try encoder.encode(draft), as: UTF8.self)
        // Two seconds are used up. One second of the incoming media is left, which ends within the 26th frame.
        #expect(
            text == """
                {"audioClips":[{"loop":true,"timeRange":{"duration":2,"start":1},"url":"song.m4a","volume":0.5}],"frameRate":25,\
                "mainTrackClips":[{"speed":2,"type":"av","url":"clip-1.mp4","volume":0.25},\
                {"speed":"1/3","timeRange":{"duration":1,"start":0},"type":"av","url":"clip-2.mp4"}],"version":1,\
                "videoSize":{"height":1280,"width":720}}
                """)
        #expect(Draft.read(Data(text.utf8)).diagnostics == [])
    }

    @Test("A clip's draft has the settings that apply to the clip, and only the time left until the maximum")
    func clip() throws {
        var recording = Recording(
            try settings(
                """
                {"maxDuration": 3, "mute": true, "filters": [{"type": "grayscale"}], "videoBitrate": 500000, "profile": "baseline",
                 "watermark": {"url": "mark.png", "destRect": {"x": 0, "y": 0, "width": 10, "height": 10}},
                 "backgroundMusic": {"url": "song.m4a"}}
                """))
        let take = try recording.begin(ClipSettings(speed: Rational(2), volume: 0.5, fileType: .mov))
        let draft = recording.clipDraft(of: take, url: "in.mkv")
        #expect(draft.videoSize == PixelSize(width: 1280, height: 720) && draft.frameRate == FrameRate(30))
        let clip = try #require(draft.mainTrackClips.first)
        #expect(clip.url == "in.mkv" && clip.timeRange == TimeRange(start: .zero, duration: MediaTime(seconds: 6)))
        #expect(clip.scalingMode == .aspectFill && clip.muted == true && clip.filters?.map(\.type) == ["grayscale"])
        #expect(clip.speed == nil && clip.volume == nil && draft.audioClips == nil)
        #expect(draft.effects?.map(\.type) == [.imageSticker] && draft.effects?.map(\.url) == ["mark.png"])
        let encoding = ["videoBitrate": "500000", "profile": "baseline", "fileType": "mov", "maxKeyframeInterval": "2"]
        #expect(recording.encoding(of: take.settings).values == encoding)
    }

    @Test("A clip's draft has the crop and the stickers over the watermark, with their times")
    func stickers() throws {
        let rect = #"{"x": 0, "y": 0, "width": 10, "height": 10}"#
        var recording = Recording(
            try settings(
                """
                {"cropRect": \(rect), "watermark": {"url": "mark.png", "destRect": \(rect)}, "metadata": {"artist": "me"},
                 "stickers": [{"url": "a.png", "destRect": \(rect), "timeRange": {"start": 1, "duration": 2}}]}
                """))
        let take = try recording.begin(ClipSettings())
        let draft = recording.clipDraft(of: take, url: "in.mkv")
        #expect(draft.mainTrackClips.first?.cropRect?.width == Rational(10))
        #expect(draft.effects?.map(\.url) == ["mark.png", "a.png"])
        let second = TimeRange(start: MediaTime(seconds: 1), duration: MediaTime(seconds: 2))
        #expect(draft.effects?.map(\.timeRangeAtMainTrack) == [nil, second])
        #expect(recording.draft { _ in "" }.metadata == ["artist": "me"] && draft.metadata == nil)
        #expect(recording.validationDraft().layers?.compactMap(\.source?.url) == ["mark.png", "a.png"])
    }

    @Test("A clip of sound alone is encoded without what the settings say of pictures")
    func sound() throws {
        var recording = Recording(try settings(#"{"videoBitrate": 500000, "profile": "main", "audioBitrate": 64000}"#))
        let take = try recording.begin(ClipSettings(fileType: .m4a))
        #expect(recording.encoding(of: take.settings).values == ["fileType": "m4a", "audioBitrate": "64000"])
    }

    @Test("A recording that copies pictures gives its drafts no size and no rate")
    func copying() throws {
        var recording = Recording(try settings(#"{"preset": "passthrough"}"#))
        let take = try recording.begin(ClipSettings())
        let draft = recording.clipDraft(of: take, url: "in.mp4")
        #expect(draft.videoSize == nil && draft.frameRate == nil && draft.mainTrackClips.map(\.scalingMode) == [nil])
        #expect(recording.encoding(of: take.settings).values == ["fileType": "mp4", "preset": "passthrough"])
        #expect(recording.validationEncoding.preset == nil)
        try recording.record(take.number, frameCount: 50, rate: FrameRate(25))
        #expect(recording.duration == MediaTime(seconds: 2))
        #expect(recording.draft { _ in "" }.videoSize == nil)
    }

    @Test(
        "Mirroring applies to the rotated picture, whatever the rotation",
        arguments: [(0, 0), (90, 270), (180, 180), (270, 90)])
    func orientation(_ degrees: Int, _ rotated: Int) throws {
        for isMirrored in [false, true] {
            var recording = Recording(try settings("{\"rotation\": \(degrees), \"mirror\": \(isMirrored)}"))
            let clip = try #require(recording.clipDraft(of: try recording.begin(ClipSettings()), url: "a").mainTrackClips.first)
            #expect(clip.preferredTransform == PreferredTransform(rotation: isMirrored ? rotated : degrees, mirrored: isMirrored))
        }
        var mirrored = Recording(try settings(#"{"mirror": true}"#))
        let clip = try #require(mirrored.clipDraft(of: try mirrored.begin(ClipSettings()), url: "a").mainTrackClips.first)
        #expect(clip.preferredTransform == nil && clip.transform?.scale == Transform.Pair(x: -1, y: 1))
    }

    @Test("Errors in a recording's drafts name its settings and its input")
    func places() throws {
        let rect = #"{"x": 0, "y": 0, "width": 10, "height": 10}"#
        let settings = try settings(
            """
            {"watermark": {"url": "mark.png", "destRect": \(rect)}, "stickers": [{"url": "a.png", "destRect": \(rect)},
             {"url": "b.png", "destRect": \(rect)}]}
            """)
        func place(_ path: String) -> String {
            DraftDiagnostic(path: path, code: .invalidValue, message: "").ofRecording(settings, input: "in.mp4").path
        }
        #expect(place("mainTrackClips[0].url") == "in.mp4")
        #expect(place("mainTrackClips[0].filters[1].amount") == "filters[1].amount")
        #expect(place("effects[0].url") == "watermark.url" && place("layers[1].source.url") == "watermark.url")
        #expect(place("effects[2].destRect.x") == "stickers[1].destRect.x" && place("layers[2].source.url") == "stickers[0].url")
        #expect(place("effects[1].timeRangeAtMainTrack") == "stickers[0].timeRange")
        #expect(place("mainTrackClips[0].cropRect.width") == "cropRect.width")
        #expect(place("layers[0].operations[0].type") == "filters[0].type")
        #expect(place("audioClips[0].timeRange") == "backgroundMusic.timeRange")
        #expect(place("settings.videoBitrate") == "videoBitrate" && place("videoSize.width") == "videoSize.width")
    }
}
