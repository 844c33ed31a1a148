public import Vocabulary

/// How much of a layer's picture is seen, place by place: a stack of layers of its own, drawn on a transparent frame that lies over
/// the picture, sample on sample.
public struct LayerMask: Hashable, Sendable, Codable {
    /// Drawn bottom to top, on the layer's own timeline.
    public var layers: [Layer]
    /// Of the frame that they are drawn on: that of the masked picture.
    public var size: FrameSize
    public var channel: MaskChannel
    /// Standard deviation of the Gaussian that softens the mask, in pixels of `size`; 0 leaves it as it is.
    public var feather: AnimatedValue
    /// Whether what the mask covers is hidden instead.
    public var isInverted: Bool

    public init(layers: [Layer], size: FrameSize, channel: MaskChannel, feather: AnimatedValue, isInverted: Bool) {
        self.layers = layers
        self.size = size
        self.channel = channel
        self.feather = feather
        self.isInverted = isInverted
    }

    /// The same mask with other values and layers.
    func mapping(_ value: (AnimatedValue) -> AnimatedValue, layers change: ([Layer]) -> [Layer]) -> LayerMask {
        LayerMask(layers: change(layers), size: size, channel: channel, feather: value(feather), isInverted: isInverted)
    }
}
