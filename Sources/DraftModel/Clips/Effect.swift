package import ExactTime

/// A change of the main track during a range: of its whole picture or of its time.
package struct Effect: Hashable, Sendable, Encodable {
    package enum Kind: String, CaseIterable, Hashable, Sendable, Encodable {
        case filter, lut, externalFilter, imageSticker, speed, freeze, cut
        case repetition = "repeat"

        /// Whether it changes how long the main track is or how its time passes, and not what its pictures show.
        package var changesTime: Bool {
            switch self {
            case .speed, .freeze, .cut, .repetition: true
            case .filter, .lut, .externalFilter, .imageSticker: false
            }
        }
    }

    /// The sound while the picture is held.
    package enum HeldAudio: String, CaseIterable, Hashable, Sendable, Encodable {
        case silent
        /// The sound that follows. It is heard again when the picture continues.
        case `continue`
    }

    package var id: String?
    package var type: Kind
    /// The range on the timeline that results from the effects before this one; by default all of it.
    package var timeRangeAtMainTrack: TimeRange?
    /// For `filter`.
    package var operation: Filter?
    /// For `externalFilter`. In JSON its fields stand beside `type`.
    package var external: PicturePlugin?
    /// For `lut`: a lookup table. For `imageSticker`: a picture; an animated one repeats.
    package var url: String?
    /// For `lut`: 0 changes nothing, 1 (the default) shows the table's colours.
    package var intensity: Double?
    /// For `imageSticker`: the rectangle into which the picture is stretched.
    package var destRect: Rect?
    /// For `speed`: 0.1...16, multiplied with each clip's own speed.
    package var speed: Rational?
    /// For `repeat`: how many times the range plays in all, 1...100.
    package var count: Int?
    /// For `freeze`: how long the picture at the range's start is held.
    package var duration: MediaTime?
    /// For `freeze`: silent by default.
    package var audio: HeldAudio?

    package init(type: Kind) {
        self.type = type
    }
}

extension Effect {
    private enum CodingKeys: String, CodingKey {
        case id, type, timeRangeAtMainTrack, operation, url, intensity, destRect, speed, count, duration, audio
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(id, forKey: .id)
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

    /// Types of the specification that this version cannot render.
    private static let later = ["mv"]

    init?(_ reader: inout ObjectReader) {
        guard let type = reader.kind("type", Kind.self, of: "effect", later: Effect.later) else { return nil }
        self.init(type: type)
        id = reader.string("id")
        timeRangeAtMainTrack = reader.object("timeRangeAtMainTrack", required: type == .cut) { TimeRange(&$0) }
        switch type {
        case .filter:
            operation = reader.object("operation", required: true) { Filter(&$0) }
        case .lut:
            url = reader.location("url", required: true)
            intensity = reader.double("intensity", in: 0...1)
        case .externalFilter:
            external = PicturePlugin(&reader)
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
        case .cut: break
        }
    }
}
