import DraftModel
import ExactTime
import TestSupport
import Testing
import Vocabulary
import FoundationEssentials

/// Reading, writing and checking the settings of recordings and their clips.
@Suite struct RecordingSettingsTests {
    @Test("Every field is read and written back")
    func roundTrip() throws {
        let text = """
            {"videoSize": {"width": 720, "height": 1280}, "frameRate": "30000/1001", "scalingMode": "aspectFit", "mute": true,
             "mirror": true, "rotation": 90, "cropRect": {"x": 0, "y": 0, "width": 0.5, "height": 0.5, "unit": "ratio"},
             "stickers": [{"url": "b.png", "destRect": {"x": 0, "y": 0, "width": 8, "height": 8},
             "timeRange": {"start": 1, "duration": 2}}], "maxFileSize": 1000000, "minFreeDiskSpace": 0,
             "metadata": {"artist": "me"}, "watermark": {"url": "a.png", "destRect": {"x": 0.1, "y": 0, "width": 0.2,
             "height": 0.1, "unit": "ratio"}}, "filters": [{"type": "contrast", "amount": 1.5}],
             "backgroundMusic": {"url": "m.mp3", "timeRange": {"start": 1, "duration": 5}, "volume": 2, "loop": true},
             "minDuration": 0.5, "maxDuration": 15, "fileType": "mov", "videoCodec": "h264", "videoBitrate": 1024000,
             "profile": "main", "level": 4.1, "maxKeyframeInterval": 2, "encoderSpeed": "fast", "sampleRate": 48000, "channels": 1,
             "audioBitrate": 64000}
            """
        let (read, faults) = RecordingSettings.read(Data(text.utf8))
        #expect(faults == [])
        let settings = try #require(read)
        #expect(settings.videoSize == PixelSize(width: 720, height: 1280) && settings.rotation == 90 && settings.mirror == true)
        #expect(settings.cropRect?.width == Rational(1, 2) && settings.metadata == ["artist": "me"])
        #expect(settings.stickers?.map(\.timeRange) == [TimeRange(start: MediaTime(seconds: 1), duration: MediaTime(seconds: 2))])
        #expect(settings.maxFileSize == 1_000_000 && settings.minFreeDiskSpace == 0)
        #expect(settings.minDuration == MediaTime(Rational(1, 2)) && settings.backgroundMusic?.loop == true)
        #expect(
            settings.encoding.profile == .main && settings.encoding.level == Rational(41, 10)
                && settings.encoding.fileType == .mov)
        let again = try JSONDecoder().decode(RecordingSettings.self, from: JSONEncoder().encode(settings))
        #expect(again == settings)
        #expect(ExportSettings.read(settings.encoding.values).settings == settings.encoding)
    }

    @Test("Every fault is reported with its path")
    func faults() {
        let text = """
            {"videoSize": {"width": 721, "height": 1280}, "frameRate": 0, "rotation": 45, "mute": "yes", "watermark": {"url": "a"},
             "filters": [{}], "backgroundMusic": {"volume": 9}, "minDuration": 3, "maxDuration": 2, "fileType": "gif",
             "videoCodec": "hevc", "profile": "high", "preset": "lowQuality", "mirrored": true}
            """
        let found = RecordingSettings.read(Data(text.utf8)).diagnostics.map { Fault($0.path, $0.code) }
        #expect(
            Set(found) == [
                Fault("videoSize.width", .invalidValue), Fault("frameRate", .outOfRange), Fault("rotation", .invalidValue),
                Fault("mute", .wrongType), Fault("watermark.destRect", .missingField), Fault("filters[0].type", .missingField),
                Fault("backgroundMusic.url", .missingField), Fault("backgroundMusic.volume", .outOfRange),
                Fault("minDuration", .conflict), Fault("fileType", .unsupported), Fault("videoCodec", .conflict),
                Fault("profile", .conflict), Fault("preset", .conflict), Fault("mirrored", .unknownField),
            ])
        let hint = RecordingSettings.read(Data(#"{"mirrored": true}"#.utf8)).diagnostics.first?.message
        #expect(hint?.contains("did you mean 'mirror'?") == true)
        #expect(RecordingSettings.read(Data("{".utf8)).diagnostics.map(\.code) == [.syntax])
        #expect(RecordingSettings.read(Data("[]".utf8)).diagnostics.map(\.code) == [.wrongType])
    }

    @Test("Fields given as text override those of the document, and may be JSON objects")
    func overrides() throws {
        let (read, faults) = RecordingSettings.read(
            Data(#"{"frameRate": 30, "mute": true}"#.utf8),
            overrides: ["frameRate": "25", "videoSize": #"{"width": 640, "height": 360}"#, "maxDuration": "21/2"])
        #expect(faults == [])
        let settings = try #require(read)
        #expect(settings.frameRate == FrameRate(25) && settings.mute == true)
        #expect(settings.videoSize == PixelSize(width: 640, height: 360) && settings.maxDuration == MediaTime(Rational(21, 2)))
    }

    @Test("Passthrough takes nothing that changes pictures")
    func copying() {
        let text = """
            {"preset": "passthrough", "mirror": true, "cropRect": {"x": 0, "y": 0, "width": 8, "height": 8},
             "filters": [{"type": "grayscale"}], "videoQuality": 20}
            """
        let found = RecordingSettings.read(Data(text.utf8)).diagnostics.map { Fault($0.path, $0.code) }
        #expect(Set(found) == Set(["mirror", "cropRect", "filters", "videoQuality"].map { Fault($0, .conflict) }))
        #expect(RecordingSettings.read(Data(#"{"preset": "passthrough", "mute": true}"#.utf8)).diagnostics == [])
    }

    @Test("Changes replace whole fields, and null takes one away")
    func changes() throws {
        let (read, _) = RecordingSettings.read(
            Data(#"{"frameRate": 25, "mute": true, "metadata": {"a": "1"}, "videoQuality": 20}"#.utf8))
        let settings = try #require(read)
        let (changed, faults) = settings.changed(
            by: Data(#"{"mute": null, "metadata": {"b": "2"}}"#.utf8), overrides: ["frameRate": "50", "videoQuality": "null"])
        #expect(faults == [])
        #expect(changed?.mute == nil && changed?.metadata == ["b": "2"] && changed?.frameRate == FrameRate(50))
        #expect(changed?.encoding.videoQuality == nil)
        let wrong = settings.changed(by: Data(#"{"mut": true}"#.utf8)).diagnostics
        #expect(wrong.map { Fault($0.path, $0.code) } == [Fault("mut", .unknownField)])
        #expect(settings.changed(by: Data("[]".utf8)).diagnostics.map(\.code) == [.wrongType])
        #expect(settings.changed(by: nil).settings == settings)
    }

    @Test("A clip's settings are read from text")
    func clips() {
        let (settings, faults) = ClipSettings.read(["speed": "1.5", "volume": "0.5", "fileType": "webm", "duration": "5/2"])
        #expect(faults == [])
        #expect(
            settings == ClipSettings(speed: Rational(3, 2), volume: 0.5, fileType: .webm, duration: MediaTime(Rational(5, 2))))
        let wrong = ClipSettings.read(["speed": "0.05", "volume": "-1", "fileType": "gif", "sped": "1", "duration": "0"])
            .diagnostics
        #expect(
            Set(wrong.map { Fault($0.path, $0.code) }) == [
                Fault("speed", .outOfRange), Fault("volume", .outOfRange), Fault("fileType", .unsupported),
                Fault("sped", .unknownField), Fault("duration", .outOfRange),
            ])
    }
}
