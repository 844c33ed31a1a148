public import ExactTime
public import Vocabulary

/// A picture above the main track, or, without a source, a change of everything below it.
public struct DraftLayer: Hashable, Sendable, Encodable {
    public var id: String?
    /// On the main track; of a layer in a group on the group's own time.
    public var timeRange: TimeRange
    /// Higher is nearer; of equals the later one is. 0 by default.
    public var layerLevel: Int?
    /// Nil makes it an adjustment layer.
    public var source: LayerSource?
    public var transform: Transform?
    /// Pixels (or fractions) of the upright source.
    public var cropRect: Rect?
    /// 0...1.
    public var opacity: Double?
    public var blendMode: BlendMode?
    /// On the picture that the operations have made.
    public var mask: DraftMask?
    /// On the layer's picture, in order; of an adjustment layer on the picture below.
    public var operations: [Filter]?
    /// Of a video.
    public var audio: LayerAudio?
    /// Keyframes, in the layer's time.
    public var animations: [Animation]?

    public init(timeRange: TimeRange, source: LayerSource? = nil) {
        self.timeRange = timeRange
        self.source = source
    }
}

/// What a layer shows.
public struct LayerSource: Hashable, Sendable, Encodable {
    public enum Kind: String, CaseIterable, Hashable, Sendable, Encodable {
        case video, image, text, captions, shape, solid, group
    }

    public var type: Kind
    /// `video`, `image`, `captions`.
    public var url: String?
    /// `video`: what plays, in source time, before speed and reverse.
    public var timeRange: TimeRange?
    /// `video`: 0.1...16.
    public var speed: Rational?
    /// `video`.
    public var reverse: Bool?
    /// `video`: plays again and again until the layer ends.
    public var loop: Bool?
    /// `solid`.
    public var color: Color?
    /// `solid`, `group`: in pixels of `videoSize`; the whole frame by default.
    public var size: PixelSize?
    /// `group`: its times are the group's own.
    public var layers: [DraftLayer]?
    /// `text`; its fields stand beside `type`.
    public var text: TextStyle?
    /// `captions`, of a file without styles of its own.
    public var style: CaptionStyle?
    /// `captions`: drawn into the picture, which is the default.
    public var burnIn: Bool?
    /// `captions`: written into the film as a track that a player shows or not.
    public var subtitleTrack: SubtitleTrackStyle?
    /// `shape`; its fields stand beside `type`.
    public var shape: ShapeStyle?

    public init(type: Kind, url: String? = nil) {
        self.type = type
        self.url = url
    }
}

extension LayerSource {
    private enum CodingKeys: String, CodingKey {
        case type, url, timeRange, speed, reverse, loop, color, size, layers, style, burnIn, subtitleTrack
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(type, forKey: .type)
        try container.encodeIfPresent(url, forKey: .url)
        try container.encodeIfPresent(timeRange, forKey: .timeRange)
        try container.encodeIfPresent(speed, forKey: .speed)
        try container.encodeIfPresent(reverse, forKey: .reverse)
        try container.encodeIfPresent(loop, forKey: .loop)
        try container.encodeIfPresent(color, forKey: .color)
        try container.encodeIfPresent(size, forKey: .size)
        try container.encodeIfPresent(layers, forKey: .layers)
        try container.encodeIfPresent(style, forKey: .style)
        try container.encodeIfPresent(burnIn, forKey: .burnIn)
        try container.encodeIfPresent(subtitleTrack, forKey: .subtitleTrack)
        try text?.encode(to: encoder)
        try shape?.encode(to: encoder)
    }
}

/// The sound of a layer's video.
public struct LayerAudio: Hashable, Sendable, Encodable {
    /// Linear gain, 0...8.
    public var volume: Double?
    public var volumeRamps: [VolumeRamp]?
    /// Semitones, -24...24.
    public var pitch: Double?

    public init(volume: Double? = nil, volumeRamps: [VolumeRamp]? = nil, pitch: Double? = nil) {
        self.volume = volume
        self.volumeRamps = volumeRamps
        self.pitch = pitch
    }
}
