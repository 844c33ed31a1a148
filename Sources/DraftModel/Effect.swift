public import ExactTime

/// A change of the whole picture of the main track for a stretch of time.
public struct Effect: Hashable, Sendable, Encodable {
    public enum Kind: String, CaseIterable, Hashable, Sendable, Encodable { case filter, lut, externalFilter, imageSticker }

    public var type: Kind
    /// The whole film by default.
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

    public init(type: Kind) {
        self.type = type
    }
}

extension Effect {
    private enum CodingKeys: String, CodingKey { case type, timeRangeAtMainTrack, operation, url, intensity, destRect }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(type, forKey: .type)
        try container.encodeIfPresent(timeRangeAtMainTrack, forKey: .timeRangeAtMainTrack)
        try container.encodeIfPresent(operation, forKey: .operation)
        try external?.encode(to: encoder)
        try container.encodeIfPresent(url, forKey: .url)
        try container.encodeIfPresent(intensity, forKey: .intensity)
        try container.encodeIfPresent(destRect, forKey: .destRect)
    }

    /// Types that the specification knows and this version cannot render.
    private static let later = ["speed", "repeat", "freeze", "mv"]

    init?(_ reader: inout ObjectReader) {
        guard let type = reader.kind("type", Kind.self, of: "effect", later: Effect.later) else { return nil }
        self.init(type: type)
        timeRangeAtMainTrack = reader.object("timeRangeAtMainTrack") { TimeRange(&$0) }
        switch type {
        case .filter:
            operation = reader.object("operation", required: true) { Filter(&$0) }
        case .lut:
            url = reader.string("url", required: true)
            intensity = reader.double("intensity", in: 0...1)
        case .externalFilter:
            external = ExternalFilter(&reader)
        case .imageSticker:
            url = reader.string("url", required: true)
            destRect = reader.object("destRect", required: true) { Rect(&$0) }
        }
    }
}
