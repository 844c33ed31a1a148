import DraftModel
import ExactTime
import Testing
import TestSupport
import Vocabulary
import FoundationEssentials

@Suite("Export settings")
struct ExportSettingsTests {
    @Test("Every setting is read from text")
    func everySetting() {
        let (settings, diagnostics) = ExportSettings.read([
            "preset": "1280x720", "fileType": "mov", "videoCodec": "h264", "videoQuality": "21.5", "encoderSpeed": "veryfast",
            "maxKeyframeInterval": "0.5", "audioBitrate": "96000", "sampleRate": "48000", "channels": "1",
            "optimizeForNetworkUse": "false",
        ])
        #expect(diagnostics.isEmpty)
        var expected = ExportSettings()
        expected.preset = .size1280x720
        expected.fileType = .mov
        expected.videoCodec = .h264
        expected.videoQuality = .factor(21.5)
        expected.encoderSpeed = .veryfast
        expected.maxKeyframeInterval = Rational(1, 2)
        expected.audioBitrate = 96_000
        expected.sampleRate = 48_000
        expected.channels = 1
        expected.optimizeForNetworkUse = false
        #expect(settings == expected)
    }

    @Test("A quality is a factor or a name, and both are written as they are read", arguments: QualityGrade.allCases)
    func quality(_ grade: QualityGrade) throws {
        let (named, faults) = ExportSettings.read(["videoQuality": grade.rawValue])
        #expect(faults.isEmpty && named.videoQuality == .grade(grade) && named.values == ["videoQuality": grade.rawValue])
        let (recording, others) = RecordingSettings.read(Data(#"{"videoQuality": "\#(grade.rawValue)"}"#.utf8))
        #expect(others.isEmpty)
        let written = try JSONEncoder().encode(try #require(recording))
        #expect(try JSONDecoder().decode(RecordingSettings.self, from: written).encoding.videoQuality == .grade(grade))
        let (both, conflict) = ExportSettings.read(["videoQuality": grade.rawValue, "videoBitrate": "1000000"])
        #expect(both.videoBitrate == 1_000_000 && conflict.map(\.code) == [.conflict])
    }

    @Test("Settings without values have no defaults filled in")
    func empty() {
        let (settings, diagnostics) = ExportSettings.read([:])
        #expect(diagnostics.isEmpty)
        #expect(settings == ExportSettings())
    }

    @Test(
        "A faulty setting is one error at its name",
        arguments: [
            ("preset", "big", DraftDiagnostic.Code.invalidValue),
            ("fileType", "avi", .invalidValue), ("renditions", "720", .conflict),
            ("videoCodec", "h265", .invalidValue),
            ("colorRange", "wide", .invalidValue),
            ("videoQuality", "52", .outOfRange), ("videoQuality", "-1", .outOfRange), ("videoQuality", "good", .invalidValue),
            ("videoQuality", "", .wrongType),
            ("videoBitrate", "100", .outOfRange), ("encoderSpeed", "warp", .invalidValue),
            ("maxKeyframeInterval", "0", .outOfRange), ("audioBitrate", "1", .outOfRange), ("audioBitrate", "1.5", .wrongType),
            ("sampleRate", "44101", .invalidValue), ("sampleRate", "7000", .outOfRange), ("channels", "3", .invalidValue),
            ("optimizeForNetworkUse", "yes", .wrongType), ("destination", "album", .unsupported),
        ])
    func faulty(name: String, value: String, code: DraftDiagnostic.Code) {
        let found = ExportSettings.read([name: value]).diagnostics.map { Fault($0.path, $0.code) }
        #expect(found == [Fault(name, code)])
    }

    @Test(
        "A speed and a distance of keyframes are refused where the encoder has neither",
        arguments: [
            ("gif", nil, ["encoderSpeed", "maxKeyframeInterval"]), ("webp", nil, ["maxKeyframeInterval"]),
            ("mov", "prores", ["encoderSpeed", "maxKeyframeInterval"]), ("nut", nil, ["encoderSpeed", "maxKeyframeInterval"]),
            ("png", nil, ["encoderSpeed", "maxKeyframeInterval"]), ("m4a", nil, ["encoderSpeed", "maxKeyframeInterval"]),
            ("mp4", nil, []), ("webm", "vp9", []), ("mp4", "av1", []), ("ts", "hevc", []),
        ] as [(String, String?, [String])])
    func withoutEffect(type: String, codec: String?, refused: [String]) {
        for (name, value) in [("encoderSpeed", "fast"), ("maxKeyframeInterval", "1")] {
            let values = ["fileType": type, name: value].merging(codec.map { ["videoCodec": $0] } ?? [:]) { $1 }
            let found = ExportSettings.read(values).diagnostics.map { Fault($0.path, $0.code) }
            #expect(found == (refused.contains(name) ? [Fault(name, .conflict)] : []), "\(name)")
        }
    }

    @Test("All faults are reported at once, and an unknown setting gets a suggestion")
    func allAtOnce() {
        let diagnostics = ExportSettings.read(["preset": "x", "channels": "9", "sampelRate": "48000"]).diagnostics
        #expect(diagnostics.count == 3)
        let unknown = diagnostics.first { $0.code == .unknownField }
        #expect(unknown?.path == "sampelRate")
        #expect(unknown?.message.contains("'sampleRate'") == true)
    }

    @Test(
        "Every preset is known by its name", arguments: ExportSettings.Preset.allCases)
    func presets(preset: ExportSettings.Preset) {
        #expect(ExportSettings.read(["preset": preset.rawValue]).settings.preset == preset)
    }

    @Test("With colorRange hdr the default codec is HEVC, and only codecs with 10 bits are accepted")
    func colorRange() {
        func read(_ values: [String: String]) -> (codec: VideoCodec?, faults: [Fault]) {
            let (settings, diagnostics) = ExportSettings.read(values.merging(["colorRange": "hdr"]) { first, _ in first })
            return (settings.decidedVideoCodec, diagnostics.map { Fault($0.path, $0.code) })
        }
        for type in ["mp4", "mov", "mkv"] { #expect(read(["fileType": type]) == (.hevc, [])) }
        #expect(read([:]) == (.hevc, []))
        #expect(read(["preset": "1280x720"]) == (.hevc, []))
        #expect(read(["preset": "proRes422"]) == (.prores, []))
        #expect(read(["fileType": "webm"]) == (.vp9, []))
        #expect(read(["videoCodec": "av1"]) == (.av1, []))
        #expect(read(["videoCodec": "h264"]) == (.h264, [Fault("colorRange", .conflict)]))
        #expect(read(["fileType": "wav"]).faults == [Fault("colorRange", .conflict)])
        #expect(read(["colorRange": "sdr"]) == (.h264, []))
        let message = ExportSettings.read(["colorRange": "hdr", "videoCodec": "h264", "fileType": "mov"]).diagnostics[0].message
        #expect(message == "hdr needs 10 bits, and h264 has 8; a mov file can hold hevc, prores")
    }
}
