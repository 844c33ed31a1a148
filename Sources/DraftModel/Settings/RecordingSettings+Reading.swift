import ExactTime
import Vocabulary
package import FoundationEssentials

/// Reads a recorder's settings. As with drafts, every fault is reported with its path.
extension RecordingSettings {
    /// - Parameters:
    ///   - data: the JSON document; nil if there is none.
    ///   - overrides: fields as text, as on a command line. They override those of the document. Text that begins like
    ///     a JSON object or array is parsed as JSON.
    /// - Returns: the settings as far as they can be read (nil if the document is not a JSON object), and all
    ///   diagnostics.
    package static func read(
        _ data: Data?, overrides: [String: String] = [:]
    ) -> (settings: RecordingSettings?, diagnostics: [DraftDiagnostic]) {
        let found = DiagnosticCollector.reading { collector -> RecordingSettings? in
            var document = try data.map(JSONValue.parse) ?? .object([:])
            if case .object(var members) = document {
                for (name, text) in overrides {
                    let isNested = text.hasPrefix("{") || text.hasPrefix("[")
                    members[name] = isNested ? try JSONValue.parse(Data(text.utf8)) : .filledIn(text)
                }
                document = .object(members)
            }
            guard var reader = ObjectReader(document, path: "", collector: collector) else { return nil }
            let settings = RecordingSettings(&reader)
            reader.finish()
            return settings
        }
        return (found.value, found.diagnostics)
    }

    init(_ reader: inout ObjectReader) {
        self.init()
        videoSize = reader.object("videoSize") { PixelSize(&$0) }
        frameRate = reader.rational("frameRate", in: .one...Rational(240)).flatMap(FrameRate.init)
        scalingMode = reader.choice("scalingMode", ScalingMode.self)
        mute = reader.bool("mute")
        mirror = reader.bool("mirror")
        rotation = reader.quarterTurn("rotation")
        watermark = reader.object("watermark") { Watermark(&$0) }
        filters = reader.operations("filters")
        backgroundMusic = reader.object("backgroundMusic") { BackgroundMusic(&$0) }
        minDuration = reader.time("minDuration", atLeast: .zero)
        maxDuration = reader.time("maxDuration", above: .zero)
        if let minDuration, let maxDuration, minDuration > maxDuration {
            reader.report("minDuration", .conflict, "is \(minDuration) s, more than maxDuration, which is \(maxDuration) s")
        }
        encoding = ExportSettings(&reader)
        if encoding.preset != nil {
            reader.report("preset", .conflict, "belongs to exports; a recording has its videoSize and videoQuality")
        }
        let pictures = [("posterTime", encoding.posterTime != nil), ("spriteInterval", encoding.spriteInterval != nil)]
        for (name, isSet) in pictures where isSet {
            reader.report(name, .conflict, "belongs to exports; a picture of a recording is taken with a snapshot")
        }
        if encoding.fileSizeLimit != nil {
            reader.report("fileSizeLimit", .conflict, "belongs to exports; a recording has its videoBitrate")
        }
        if encoding.fileType != nil || encoding.preset == nil {
            reader.checkClipType(encoding.decidedFileType, encoding.fileType == nil ? "videoCodec" : "fileType")
        }
    }
}

extension RecordingSettings: Codable {
    private enum CodingKeys: String, CodingKey {
        case videoSize, frameRate, scalingMode, mute, mirror, rotation, watermark, filters, backgroundMusic, minDuration,
            maxDuration
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(videoSize, forKey: .videoSize)
        try container.encodeIfPresent(frameRate, forKey: .frameRate)
        try container.encodeIfPresent(scalingMode, forKey: .scalingMode)
        try container.encodeIfPresent(mute, forKey: .mute)
        try container.encodeIfPresent(mirror, forKey: .mirror)
        try container.encodeIfPresent(rotation, forKey: .rotation)
        try container.encodeIfPresent(watermark, forKey: .watermark)
        try container.encodeIfPresent(filters, forKey: .filters)
        try container.encodeIfPresent(backgroundMusic, forKey: .backgroundMusic)
        try container.encodeIfPresent(minDuration, forKey: .minDuration)
        try container.encodeIfPresent(maxDuration, forKey: .maxDuration)
        try encoding.encode(to: encoder)
    }

    /// - Throws: `DraftError` with every diagnostic.
    package init(from decoder: any Decoder) throws {
        let collector = DiagnosticCollector()
        guard var reader = ObjectReader(try JSONValue(from: decoder), path: "", collector: collector) else {
            throw DraftError(collector.diagnostics)
        }
        self.init(&reader)
        reader.finish()
        guard !collector.hasErrors else { throw DraftError(collector.diagnostics) }
    }
}

extension RecordingSettings.Watermark {
    init?(_ reader: inout ObjectReader) {
        let url = reader.location("url", required: true)
        let rect = reader.object("destRect", required: true) { Rect(&$0) }
        guard let url, let rect else { return nil }
        self.init(url: url, destRect: rect)
    }
}

extension RecordingSettings.BackgroundMusic {
    init?(_ reader: inout ObjectReader) {
        let url = reader.location("url", required: true)
        let range = reader.object("timeRange") { TimeRange(&$0) }
        let volume = reader.double("volume", in: 0...8)
        let loop = reader.bool("loop")
        guard let url else { return nil }
        self.init(url: url)
        (timeRange, self.volume, self.loop) = (range, volume, loop)
    }

    /// Reads the music by itself and reports faults under the path `backgroundMusic`.
    /// - Returns: nil if there are errors.
    package static func read(_ text: String) -> (music: Self?, diagnostics: [DraftDiagnostic]) {
        let found = DiagnosticCollector.reading { collector -> Self? in
            guard
                var reader = ObjectReader(
                    try JSONValue.parse(Data(text.utf8)), path: "backgroundMusic", collector: collector)
            else { return nil }
            let music = Self(&reader)
            reader.finish()
            return collector.hasErrors ? nil : music
        }
        return (found.value, found.diagnostics)
    }
}

extension ClipSettings {
    /// Reads settings from text values, as on a command line or in a URL, and reports every fault.
    package static func read(_ values: [String: String]) -> (settings: ClipSettings, diagnostics: [DraftDiagnostic]) {
        let collector = DiagnosticCollector()
        var settings = ClipSettings()
        if var reader = ObjectReader(.object(values.mapValues { .filledIn($0) }), path: "", collector: collector) {
            settings.speed = reader.speed() ?? .one
            settings.volume = reader.double("volume", in: MainTrackClip.volumeProperty.range) ?? 1
            settings.fileType = reader.choice("fileType", FileType.self)
            if let type = settings.fileType { reader.checkClipType(type, "fileType") }
            reader.finish()
        }
        return (settings, collector.diagnostics)
    }
}

extension ObjectReader {
    /// Checks that the file type can hold picture and sound with their exact lengths, as a clip needs.
    fileprivate func checkClipType(_ type: FileType, _ name: String) {
        guard !type.format.isForClips else { return }
        let names = FormatCatalogue.names(where: \.isForClips)
        report(name, .unsupported, "a clip cannot be recorded as \(type) by this version; take \(names)")
    }
}
