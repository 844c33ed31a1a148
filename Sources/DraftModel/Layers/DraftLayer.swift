package import ExactTime
package import Vocabulary

/// A picture above the main track. A layer without a source is an adjustment layer, which changes everything below it.
package struct DraftLayer: Hashable, Sendable, Encodable {
    package var id: String?
    /// The range on the timeline after all effects; for a layer in a group, on the group's own time.
    package var timeRange: TimeRange
    /// Higher levels are drawn over lower ones. Among equal levels, later layers are drawn over earlier ones. 0 by
    /// default.
    package var layerLevel: Int?
    /// The source; nil for an adjustment layer.
    package var source: LayerSource?
    package var transform: Transform?
    /// The crop in pixels or fractions of the upright source.
    package var cropRect: Rect?
    /// 0...1.
    package var opacity: Double?
    /// Whether the layer is drawn; true by default. The sound of its videos is heard all the same.
    package var video: Bool?
    package var blendMode: LayerBlendMode?
    /// The mask, applied after the operations.
    package var mask: DraftMask?
    /// Operations on the layer's picture, in order. For an adjustment layer they apply to the picture below it.
    package var operations: [Filter]?
    /// The sound, for a video or a group.
    package var audio: LayerAudio?
    /// Filters of the sound, for a video or a group, in order, before its volume.
    package var audioFilters: [AudioFilter]?
    /// Keyframes, in the layer's time.
    package var animations: [Animation]?
    /// How the layer appears: a transition over the beginning of the time in which it is seen.
    package var transitionIn: Transition?
    /// How the layer disappears: a transition over the end of the time in which it is seen.
    package var transitionOut: Transition?

    package init(timeRange: TimeRange, source: LayerSource? = nil) {
        self.timeRange = timeRange
        self.source = source
    }
}

/// What a layer shows.
package struct LayerSource: Hashable, Sendable, Encodable {
    package enum Kind: String, CaseIterable, Hashable, Sendable, Encodable {
        case video, image, text, captions, shape, solid, generator, group
    }

    package var type: Kind
    /// For `video`, `image` and `captions`.
    package var url: String?
    /// For `video`: the picture stream that plays, where the file has several; by default the one that a player would
    /// choose.
    package var videoStream: StreamSelector?
    /// For `video`: the sound stream that plays.
    package var audioStream: StreamSelector?
    /// For `video`: the range of source time that plays, before speed and reverse.
    package var timeRange: TimeRange?
    /// For `video` and `generator`: 0.1...16.
    package var speed: Rational?
    /// For `video` and `generator`.
    package var reverse: Bool?
    /// For `video`: whether it repeats until the layer ends.
    package var loop: Bool?
    /// For `video`: how an interlaced source is deinterlaced; `auto` by default.
    package var deinterlace: Deinterlace?
    /// For `solid`.
    package var color: Color?
    /// For `solid`, instead of the colour. In JSON the gradients of texts and shapes stand beside `type` as well.
    package var gradient: GradientStyle?
    /// For `solid`, `generator` and `group`: the size in pixels of `videoSize`; by default that of the frame.
    package var size: PixelSize?
    /// For `group`. The layers' times are relative to the group's start.
    package var layers: [DraftLayer]?
    /// For `text`. In JSON its fields stand beside `type`.
    package var text: TextStyle?
    /// For `captions`, if the file has no styles of its own.
    package var style: CaptionStyle?
    /// For `captions`: whether they are drawn into the picture; true by default.
    package var burnIn: Bool?
    /// For `captions`: writes them into the film as a track that viewers can switch on and off.
    package var subtitleTrack: SubtitleTrackStyle?
    /// For `shape`. In JSON its fields stand beside `type`.
    package var shape: ShapeStyle?
    /// For `generator`: the plug-in that draws. In JSON its fields stand beside `type`.
    package var generator: PicturePlugin?

    package init(type: Kind, url: String? = nil) {
        self.type = type
        self.url = url
    }
}

extension LayerSource {
    private enum CodingKeys: String, CodingKey {
        case type, url, videoStream, audioStream, timeRange, speed, reverse, loop, deinterlace, color, gradient, size, layers
        case style, burnIn, subtitleTrack
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(type, forKey: .type)
        try container.encodeIfPresent(url, forKey: .url)
        try container.encodeIfPresent(videoStream, forKey: .videoStream)
        try container.encodeIfPresent(audioStream, forKey: .audioStream)
        try container.encodeIfPresent(timeRange, forKey: .timeRange)
        try container.encodeIfPresent(speed, forKey: .speed)
        try container.encodeIfPresent(reverse, forKey: .reverse)
        try container.encodeIfPresent(loop, forKey: .loop)
        try container.encodeIfPresent(deinterlace, forKey: .deinterlace)
        try container.encodeIfPresent(color, forKey: .color)
        try container.encodeIfPresent(gradient, forKey: .gradient)
        try container.encodeIfPresent(size, forKey: .size)
        try container.encodeIfPresent(layers, forKey: .layers)
        try container.encodeIfPresent(style, forKey: .style)
        try container.encodeIfPresent(burnIn, forKey: .burnIn)
        try container.encodeIfPresent(subtitleTrack, forKey: .subtitleTrack)
        try text?.encode(to: encoder)
        try shape?.encode(to: encoder)
        try generator?.encode(to: encoder)
    }
}

/// The sound of a layer's video, or of all videos in a group.
package struct LayerAudio: Hashable, Sendable, Encodable {
    /// Linear gain, 0...8.
    package var volume: Double?
    package var volumeRamps: [VolumeRamp]?
    package var muted: Bool?
    /// Semitones, -24...24; for a video.
    package var pitch: Double?
    /// For a video.
    package var timePitchAlgorithm: TimePitchAlgorithm?
    /// Where the sound stands: -1 (left) ... 1 (right).
    package var pan: Double?

    package init(volume: Double? = nil, volumeRamps: [VolumeRamp]? = nil, pitch: Double? = nil) {
        self.volume = volume
        self.volumeRamps = volumeRamps
        self.pitch = pitch
    }
}
