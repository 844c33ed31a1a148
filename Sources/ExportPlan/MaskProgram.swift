public import Vocabulary

/// How a layer's mask is drawn.
public struct MaskProgram: Hashable, Sendable, Codable {
    public var stack: StackProgram
    public var channel: MaskChannel
    public var isInverted: Bool
    /// Pixels; nil where it moves.
    public var feather: Double?
    /// Whether it is drawn once and then used again.
    public var isKept: Bool

    public init(stack: StackProgram, channel: MaskChannel, isInverted: Bool, feather: Double?, isKept: Bool) {
        self.stack = stack
        self.channel = channel
        self.isInverted = isInverted
        self.feather = feather
        self.isKept = isKept
    }
}
