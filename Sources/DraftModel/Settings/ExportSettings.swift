package import ExactTime
package import Vocabulary

/// A client's settings for an export: a preset and overrides, without any defaults filled in.
package struct ExportSettings: Hashable, Sendable, Encodable {
    /// AVFoundation's preset names, without their prefix.
    package enum Preset: String, CaseIterable, Hashable, Sendable, Encodable {
        case highestQuality, mediumQuality, lowQuality
        case size640x480 = "640x480"
        case size960x540 = "960x540"
        case size1280x720 = "1280x720"
        case size1920x1080 = "1920x1080"
        case size3840x2160 = "3840x2160"
        case hevc1920x1080, hevc3840x2160, proRes422, proRes4444, m4a, gif
        /// Copies the source's pictures without encoding them.
        case passthrough
    }

    /// libx264's preset names.
    package enum EncoderSpeed: String, CaseIterable, Hashable, Sendable, Encodable {
        case ultrafast, superfast, veryfast, faster, fast, medium, slow, slower, veryslow, placebo
    }

    package var preset: Preset?
    package var fileType: FileType?
    package var videoCodec: VideoCodec?
    /// The colours of the film; `sdr` by default.
    package var colorRange: ColorRange?
    /// Whether the film keeps its transparency; only the preset `proRes4444` does so by itself.
    package var alpha: Bool?
    package var videoQuality: VideoQuality?
    /// The average bitrate of the whole film in bits per second, instead of a quality.
    package var videoBitrate: Int?
    /// The greatest size of the film's file in bytes, instead of a quality or a bitrate.
    package var fileSizeLimit: Int?
    package var encoderSpeed: EncoderSpeed?
    /// The H.264 profile, which is what a player must support. By default the encoder chooses it.
    package var profile: VideoProfile?
    /// The level of H.264 or HEVC, 1...6.2, which is what a player must support. By default the encoder chooses it.
    package var level: Rational?
    /// Seconds between keyframes, 0.1...60.
    package var maxKeyframeInterval: Rational?
    /// Bits per second.
    package var audioBitrate: Int?
    package var sampleRate: Int?
    /// 1 (mono), 2 (stereo) or 6 (5.1).
    package var channels: Int?
    package var optimizeForNetworkUse: Bool?
    /// The shorter sides of the pictures of a stream's renditions, in pixels, the largest first; nil for the usual ones.
    package var renditions: [Int]?
    /// The time of the film in seconds whose frame becomes the poster, a JPEG beside the film; nil for no poster.
    package var posterTime: Rational?
    /// Seconds of film, 0.1...3600, for each of the small pictures that are put beside it; nil for none.
    package var spriteInterval: Rational?
    /// The width of those pictures in pixels, 16...640; they have the film's shape.
    package var spriteWidth: Int?

    /// The picture that an export on a farm makes instead of a film; nil for a film.
    package var picture: PictureSettings?

    package static let usualSpriteWidth = 160

    package init() {}

    /// Reads settings from text values, as on a command line, and reports every fault.
    package static func read(_ values: [String: String]) -> (settings: ExportSettings, diagnostics: [DraftDiagnostic]) {
        let collector = DiagnosticCollector()
        var settings = ExportSettings()
        let document = JSONValue.object(values.mapValues { .filledIn($0) })
        if var reader = ObjectReader(document, path: "", collector: collector) {
            settings = ExportSettings(&reader)
            reader.finish()
        }
        return (settings, collector.diagnostics)
    }

    /// The setting that names where a farm sends the film. It is not about the film, so that it is none of these.
    package static let destination = "destination"

    /// The values that are about the film.
    package static func aboutFilm(_ values: [String: String]) -> [String: String] {
        values.filter { $0.key != destination }
    }

    /// The settings as text values, in the form that `read` takes.
    package var values: [String: String] {
        let values: [String: String?] = [
            "preset": preset?.rawValue, "fileType": fileType?.rawValue, "videoCodec": videoCodec?.rawValue,
            "colorRange": colorRange?.rawValue, "alpha": alpha.map { "\($0)" },
            "videoQuality": videoQuality?.text, "videoBitrate": videoBitrate.map { "\($0)" },
            "fileSizeLimit": fileSizeLimit.map { "\($0)" }, "encoderSpeed": encoderSpeed?.rawValue, "profile": profile?.rawValue,
            "level": level.map { "\($0.doubleValue)" },
            "maxKeyframeInterval": maxKeyframeInterval.map { "\($0)" }, "audioBitrate": audioBitrate.map { "\($0)" },
            "sampleRate": sampleRate.map { "\($0)" }, "channels": channels.map { "\($0)" },
            "optimizeForNetworkUse": optimizeForNetworkUse.map { "\($0)" },
            "posterTime": posterTime.map { "\($0)" }, "spriteInterval": spriteInterval.map { "\($0)" },
            "spriteWidth": spriteWidth.map { "\($0)" },
            "renditions": renditions.map { $0.map(String.init).joined(separator: ",") },
        ]
        return values.merging(picture?.values ?? [:]) { $1 }.compactMapValues { $0 }
    }

    init(_ reader: inout ObjectReader) {
        preset = reader.choice("preset", Preset.self)
        fileType = reader.choice("fileType", FileType.self)
        videoCodec = reader.choice("videoCodec", VideoCodec.self)
        colorRange = reader.choice("colorRange", ColorRange.self)
        alpha = reader.bool("alpha")
        videoQuality = reader.videoQuality("videoQuality")
        videoBitrate = reader.integer("videoBitrate", in: 10_000...1_000_000_000)
        fileSizeLimit = reader.integer("fileSizeLimit", in: 10_000...1_000_000_000_000)
        encoderSpeed = reader.choice("encoderSpeed", EncoderSpeed.self)
        profile = reader.choice("profile", VideoProfile.self)
        level = reader.rational("level", in: .one...Rational(62, 10))
        maxKeyframeInterval = reader.rational("maxKeyframeInterval", in: Rational(1, 10)...Rational(60))
        audioBitrate = reader.integer("audioBitrate", in: 16_000...512_000)
        sampleRate = reader.integer("sampleRate", in: 8000...192_000)
        channels = reader.integer("channels", in: 1...6)
        optimizeForNetworkUse = reader.bool("optimizeForNetworkUse")
        posterTime = reader.rational("posterTime", in: .zero...Rational(DraftLimits.seconds))
        spriteInterval = reader.rational("spriteInterval", in: Rational(1, 10)...Rational(3600))
        spriteWidth = reader.integer("spriteWidth", in: 16...640)
        renditions = reader.renditions("renditions")
        if reader.value(ExportSettings.destination) != nil {
            reader.report(
                ExportSettings.destination, .unsupported,
                "is for exports on a farm; leave it out, and name the file with -o")
        }
        picture = reader.picture(fileType)
        if PictureSettings.names.contains(where: { reader.value($0) != nil }) {
            reportFilmSettings(&reader)
        } else {
            checkFormat(&reader)
        }
        if let channels, ![1, 2, 6].contains(channels) {
            reader.report("channels", .invalidValue, "must be 1 (mono), 2 (stereo) or 6 (5.1), not \(channels)")
        }
    }
}
