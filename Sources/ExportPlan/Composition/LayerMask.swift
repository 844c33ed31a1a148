package import Vocabulary

/// How much of each place of a layer's picture is seen: a stack of layers of its own, drawn on a transparent frame that
/// is laid over the picture sample by sample.
package struct LayerMask: Hashable, Sendable, Codable {
    /// Layers, drawn from bottom to top, on the masked layer's timeline.
    package var layers: [Layer]
    /// The size of the frame that they are drawn on, which is that of the masked picture.
    package var size: FrameSize
    package var channel: MaskChannel
    /// Standard deviation of the Gaussian that softens the mask, in pixels of `size`; 0 leaves it as it is.
    package var feather: AnimatedValue
    /// Whether the mask hides what it covers, instead of showing it.
    package var isInverted: Bool

    package init(layers: [Layer], size: FrameSize, channel: MaskChannel, feather: AnimatedValue, isInverted: Bool) {
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
