public import ExactTime
public import Vocabulary

/// What a client asks of an export, beside the draft: a preset and overrides, nothing filled in.
public struct ExportSettings: Hashable, Sendable, Encodable {
    /// AVFoundation's preset names, without their prefix.
    public enum Preset: String, CaseIterable, Hashable, Sendable, Encodable {
        case highestQuality, mediumQuality, lowQuality
        case size640x480 = "640x480"
        case size960x540 = "960x540"
        case size1280x720 = "1280x720"
        case size1920x1080 = "1920x1080"
        case size3840x2160 = "3840x2160"
        case hevc1920x1080, hevc3840x2160, proRes422, m4a, gif
        /// The source's own pictures, copied.
        case passthrough
    }

    /// libx264's preset names.
    public enum EncoderSpeed: String, CaseIterable, Hashable, Sendable, Encodable {
        case ultrafast, superfast, veryfast, faster, fast, medium, slow, slower, veryslow, placebo
    }

    public var preset: Preset?
    public var fileType: FileType?
    public var videoCodec: VideoCodec?
    /// `sdr` where it is not said.
    public var colorRange: ColorRange?
    /// Constant rate factor, 0...63; lower is better. Of H.264 and HEVC up to 51.
    public var videoQuality: Double?
    /// Bits per second on average over the whole film, in place of a quality.
    public var videoBitrate: Int?
    public var encoderSpeed: EncoderSpeed?
    /// Of H.264: what a player has to be able to do. The encoder uses what pays off where nothing is said.
    public var profile: VideoProfile?
    /// Seconds, 0.1...60.
    public var maxKeyframeInterval: Rational?
    /// Bits per second.
    public var audioBitrate: Int?
    public var sampleRate: Int?
    /// 1, 2, or 6: 5.1.
    public var channels: Int?
    public var optimizeForNetworkUse: Bool?

    public init() {}

    /// Reads settings given as text, as on a command line, and reports everything that is wrong with them.
    public static func read(_ values: [String: String]) -> (settings: ExportSettings, diagnostics: [DraftDiagnostic]) {
        let collector = DiagnosticCollector()
        var settings = ExportSettings()
        let document = JSONValue.object(values.mapValues { .filledIn($0) })
        if var reader = ObjectReader(document, path: "", collector: collector) {
            settings = ExportSettings(&reader)
            reader.finish()
        }
        return (settings, collector.diagnostics)
    }

    /// The same settings as text, as `read` takes them.
    public var values: [String: String] {
        let values: [String: String?] = [
            "preset": preset?.rawValue, "fileType": fileType?.rawValue, "videoCodec": videoCodec?.rawValue,
            "colorRange": colorRange?.rawValue,
            "videoQuality": videoQuality.map { "\($0)" }, "videoBitrate": videoBitrate.map { "\($0)" },
            "encoderSpeed": encoderSpeed?.rawValue, "profile": profile?.rawValue,
            "maxKeyframeInterval": maxKeyframeInterval.map { "\($0)" }, "audioBitrate": audioBitrate.map { "\($0)" },
            "sampleRate": sampleRate.map { "\($0)" }, "channels": channels.map { "\($0)" },
            "optimizeForNetworkUse": optimizeForNetworkUse.map { "\($0)" },
        ]
        return values.compactMapValues { $0 }
    }

    init(_ reader: inout ObjectReader) {
        preset = reader.choice("preset", Preset.self)
        fileType = reader.supported("fileType", FileType.self, later: ["hls"])
        videoCodec = reader.choice("videoCodec", VideoCodec.self)
        colorRange = reader.choice("colorRange", ColorRange.self)
        videoQuality = reader.double("videoQuality", in: 0...63)
        videoBitrate = reader.integer("videoBitrate", in: 10_000...1_000_000_000)
        encoderSpeed = reader.choice("encoderSpeed", EncoderSpeed.self)
        profile = reader.choice("profile", VideoProfile.self)
        maxKeyframeInterval = reader.rational("maxKeyframeInterval", in: Rational(1, 10)...Rational(60))
        audioBitrate = reader.integer("audioBitrate", in: 16_000...512_000)
        sampleRate = reader.integer("sampleRate", in: 8000...192_000)
        channels = reader.integer("channels", in: 1...6)
        optimizeForNetworkUse = reader.bool("optimizeForNetworkUse")
        reader.unsupported("destination", "a destination other than a file")
        checkFormat(&reader)
        if let channels, ![1, 2, 6].contains(channels) {
            reader.report("channels", .invalidValue, "must be 1 (mono), 2 (stereo) or 6 (5.1), not \(channels)")
        }
    }
}

extension ObjectReader {
    /// A choice of which some names are known and come later.
    fileprivate mutating func supported<Choice: RawRepresentable & CaseIterable>(
        _ name: String, _ type: Choice.Type, later: [String]
    ) -> Choice? where Choice.RawValue == String {
        if let text = value(name)?.text, later.contains(text) {
            report(name, .unsupported, "'\(text)' cannot be written by this version")
            return nil
        }
        return choice(name, type)
    }
}
