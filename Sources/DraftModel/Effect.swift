public import ExactTime

/// A change of the whole picture of the main track for a stretch of time.
public struct Effect: Hashable, Sendable, Encodable {
    public enum Kind: String, CaseIterable, Hashable, Sendable, Encodable {
        case filter, lut, externalFilter, imageSticker, speed, freeze
        case repetition = "repeat"
    }

    /// What is heard while the picture is held.
    public enum HeldAudio: String, CaseIterable, Hashable, Sendable, Encodable {
        case silent
        /// What follows, which is heard again when the picture goes on.
        case `continue`
    }

    public var type: Kind
    /// On the timeline that the effects before it have made; all of it by default.
    public var timeRangeAtMainTrack: TimeRange?
    /// `filter`.
    public var operation: Filter?
    /// `externalFilter`; its fields stand beside `type`.
    public var external: ExternalFilter?
    /// `lut`: a table of colours. `imageSticker`: a picture; an animated one plays again and again.
    public var url: String?
    /// `lut`: 0 changes nothing, 1 (the default) shows the table's colours.
    public var intensity: Double?
    /// `imageSticker`: where it is stretched to.
    public var destRect: Rect?
    /// `speed`: 0.1...16, on top of each clip's own.
    public var speed: Rational?
    /// `repeat`: how often the range plays in all, 1...100.
    public var count: Int?
    /// `freeze`: how long the picture at the range's start is held.
    public var duration: MediaTime?
    /// `freeze`: silent by default.
    public var audio: HeldAudio?

    public init(type: Kind) {
        self.type = type
    }
}

extension Effect {
    private enum CodingKeys: String, CodingKey {
        case type, timeRangeAtMainTrack, operation, url, intensity, destRect, speed, count, duration, audio
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(type, forKey: .type)
        try container.encodeIfPresent(timeRangeAtMainTrack, forKey: .timeRangeAtMainTrack)
        try container.encodeIfPresent(operation, forKey: .operation)
        try external?.encode(to: encoder)
        try container.encodeIfPresent(url, forKey: .url)
        try container.encodeIfPresent(intensity, forKey: .intensity)
        try container.encodeIfPresent(destRect, forKey: .destRect)
        try container.encodeIfPresent(speed, forKey: .speed)
        try container.encodeIfPresent(count, forKey: .count)
        try container.encodeIfPresent(duration, forKey: .duration)
        try container.encodeIfPresent(audio, forKey: .audio)
    }

    /// Types that the specification knows and this version cannot render.
    private static let later = ["mv"]

    init?(_ reader: inout ObjectReader) {
        guard let type = reader.kind("type", Kind.self, of: "effect", later: Effect.later) else { return nil }
        self.init(type: type)
        timeRangeAtMainTrack = reader.object("timeRangeAtMainTrack") { TimeRange(&$0) }
        switch type {
        case .filter:
            operation = reader.object("operation", required: true) { Filter(&$0) }
        case .lut:
            url = reader.location("url", required: true)
            intensity = reader.double("intensity", in: 0...1)
        case .externalFilter:
            external = ExternalFilter(&reader)
        case .imageSticker:
            url = reader.location("url", required: true)
            destRect = reader.object("destRect", required: true) { Rect(&$0) }
        case .speed:
            speed = reader.speed(required: true)
        case .repetition:
            count = reader.integer("count", in: 1...100, required: true)
        case .freeze:
            duration = reader.time("duration", above: .zero, required: true)
            audio = reader.choice("audio", HeldAudio.self)
        }
    }
}
