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
            let document = try RecordingSettings.document(data.map(JSONValue.parse) ?? .object([:]), overrides)
            return read(document, collector)
        }
        return (found.value, found.diagnostics)
    }

    /// Reads changes of these settings: a JSON Merge Patch (RFC 7396) of their first level. A field of the patch replaces the
    /// whole field of the settings, and `null` removes it.
    /// - Parameters:
    ///   - patch: the JSON document; nil if there is none.
    ///   - overrides: fields as text, as for `read`; `null` removes a field.
    /// - Returns: the changed settings (nil if the patch is not a JSON object), and all diagnostics.
    package func changed(
        by patch: Data?, overrides: [String: String] = [:]
    ) -> (settings: RecordingSettings?, diagnostics: [DraftDiagnostic]) {
        let found = DiagnosticCollector.reading { collector -> RecordingSettings? in
            let removed = overrides.filter { $0.value == "null" }
            let patch = try RecordingSettings.document(
                patch.map(JSONValue.parse) ?? .object([:]), overrides.filter { $0.value != "null" })
            guard case .object(let changes) = patch, case .object(var members) = try JSONValue.parse(JSONEncoder().encode(self))
            else { return RecordingSettings.read(patch, collector) }
            members.merge(changes) { _, new in new }
            for name in removed.keys { members[name] = .null }
            return RecordingSettings.read(.object(members), collector)
        }
        return (found.value, found.diagnostics)
    }

    private static func document(_ document: JSONValue, _ overrides: [String: String]) throws(DraftError) -> JSONValue {
        guard case .object(var members) = document else { return document }
        for (name, text) in overrides {
            let isNested = text.hasPrefix("{") || text.hasPrefix("[")
            members[name] = isNested ? try JSONValue.parse(Data(text.utf8)) : .filledIn(text)
        }
        return .object(members)
    }

    private static func read(_ document: JSONValue, _ collector: DiagnosticCollector) -> RecordingSettings? {
        guard var reader = ObjectReader(document, path: "", collector: collector) else { return nil }
        let settings = RecordingSettings(&reader)
        reader.finish()
        return settings
    }

    init(_ reader: inout ObjectReader) {
        self.init()
        videoSize = reader.object("videoSize") { PixelSize(&$0) }
        frameRate = reader.rational("frameRate", in: .one...Rational(240)).flatMap(FrameRate.init)
        scalingMode = reader.choice("scalingMode", ScalingMode.self)
        mute = reader.bool("mute")
        mirror = reader.bool("mirror")
        rotation = reader.quarterTurn("rotation")
        cropRect = reader.object("cropRect") { Rect(&$0) }
        watermark = reader.object("watermark") { Watermark(&$0) }
        stickers = reader.array("stickers", atMost: RecordingSettings.mostStickers) { Sticker(&$0) }
        filters = reader.operations("filters")
        backgroundMusic = reader.object("backgroundMusic") { BackgroundMusic(&$0) }
        minDuration = reader.time("minDuration", atLeast: .zero)
        maxDuration = reader.time("maxDuration", above: .zero)
        if let minDuration, let maxDuration, minDuration > maxDuration {
            reader.report("minDuration", .conflict, "must be at most maxDuration, \(maxDuration) s, not \(minDuration)")
        }
        maxFileSize = reader.integer("maxFileSize", in: 10_000...1_000_000_000_000_000)
        minFreeDiskSpace = reader.integer("minFreeDiskSpace", in: 0...1_000_000_000_000_000)
        metadata = reader.stringMap("metadata")
        draft = reader.object("draft") { Draft(&$0) }
        draftDuration = reader.time("draftDuration", atLeast: .zero)
        checkDraft(&reader)
        encoding = ExportSettings(&reader)
        checkEncoding(&reader)
    }

    /// The greatest number of stickers of a recording.
    package static let mostStickers = 100

    /// Reports what a draft cannot have that is continued.
    private func checkDraft(_ reader: inout ObjectReader) {
        guard let draft else {
            if draftDuration != nil { reader.report("draftDuration", .conflict, "is that of a draft; give the draft, too") }
            return
        }
        if draft.timeRange != nil {
            reader.report("draft.timeRange", .conflict, "would cut off what is recorded; leave it out")
        }
        if draft.mainTrackClips.isEmpty {
            reader.report(
                "draft.mainTrackClips", .noClips,
                "has no clip that the recording could continue; give one, or leave the draft out")
        }
    }

    private func checkEncoding(_ reader: inout ObjectReader) {
        if encoding.preset == .passthrough {
            checkCopying(&reader)
        } else if encoding.preset != nil {
            reader.report(
                "preset", .conflict, "belongs to exports, except passthrough; a recording has its videoSize and videoQuality")
        }
        let pictures = [("posterTime", encoding.posterTime != nil), ("spriteInterval", encoding.spriteInterval != nil)]
        for (name, isSet) in pictures where isSet {
            reader.report(name, .conflict, "belongs to exports; a picture of a recording is taken with a snapshot")
        }
        if encoding.picture != nil {
            reader.report("frameTime", .conflict, "belongs to exports; a picture of a recording is taken with a snapshot")
        }
        if encoding.alpha != nil {
            reader.report("alpha", .conflict, "belongs to exports; leave it out")
        }
        if encoding.fileSizeLimit != nil {
            reader.report("fileSizeLimit", .conflict, "belongs to exports; a recording has its videoBitrate")
        }
        if encoding.fileType != nil || encoding.preset == nil {
            reader.checkClipType(encoding.decidedFileType, encoding.fileType == nil ? "videoCodec" : "fileType")
        }
    }

    /// Reports what changes pictures that are to be copied as they come.
    private func checkCopying(_ reader: inout ObjectReader) {
        let changes = [
            ("scalingMode", scalingMode != nil), ("mirror", mirror == true), ("rotation", rotation != nil),
            ("cropRect", cropRect != nil), ("watermark", watermark != nil), ("stickers", stickers?.isEmpty == false),
            ("filters", filters?.isEmpty == false),
        ]
        for (name, isSet) in changes where isSet {
            reader.report(name, .conflict, "is not supported with passthrough, which copies the pictures unchanged; leave it out")
        }
    }
}

extension RecordingSettings: Codable {
    private enum CodingKeys: String, CodingKey {
        case videoSize, frameRate, scalingMode, mute, mirror, rotation, cropRect, watermark, stickers, filters, backgroundMusic,
            minDuration, maxDuration, maxFileSize, minFreeDiskSpace, metadata, draft, draftDuration
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(videoSize, forKey: .videoSize)
        try container.encodeIfPresent(frameRate, forKey: .frameRate)
        try container.encodeIfPresent(scalingMode, forKey: .scalingMode)
        try container.encodeIfPresent(mute, forKey: .mute)
        try container.encodeIfPresent(mirror, forKey: .mirror)
        try container.encodeIfPresent(rotation, forKey: .rotation)
        try container.encodeIfPresent(cropRect, forKey: .cropRect)
        try container.encodeIfPresent(watermark, forKey: .watermark)
        try container.encodeIfPresent(stickers, forKey: .stickers)
        try container.encodeIfPresent(filters, forKey: .filters)
        try container.encodeIfPresent(backgroundMusic, forKey: .backgroundMusic)
        try container.encodeIfPresent(minDuration, forKey: .minDuration)
        try container.encodeIfPresent(maxDuration, forKey: .maxDuration)
        try container.encodeIfPresent(maxFileSize, forKey: .maxFileSize)
        try container.encodeIfPresent(minFreeDiskSpace, forKey: .minFreeDiskSpace)
        try container.encodeIfPresent(metadata, forKey: .metadata)
        try container.encodeIfPresent(draft, forKey: .draft)
        try container.encodeIfPresent(draftDuration, forKey: .draftDuration)
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

extension RecordingSettings.Sticker {
    init?(_ reader: inout ObjectReader) {
        let url = reader.location("url", required: true)
        let rect = reader.object("destRect", required: true) { Rect(&$0) }
        let range = reader.object("timeRange") { TimeRange(&$0) }
        guard let url, let rect else { return nil }
        self.init(url: url, destRect: rect, timeRange: range)
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
            settings.duration = reader.time("duration", above: .zero)
            reader.finish()
        }
        return (settings, collector.diagnostics)
    }
}

extension ObjectReader {
    /// Checks that the file type can hold pictures or sound with their exact lengths, as a clip needs.
    fileprivate func checkClipType(_ type: FileType, _ name: String) {
        guard !type.format.isForClips else { return }
        let names = FormatCatalogue.names(where: \.isForClips)
        report(name, .unsupported, "a clip cannot be recorded as \(type) by this version; take \(names)")
    }
}
