public import Vocabulary

/// How one layer is drawn at one frame: what `spool plan --explain` shows. The painters that draw it write it, by the decisions that
/// they draw by.
public struct LayerProgram: Hashable, Sendable, Codable {
    /// What is drawn.
    public indirect enum Content: Hashable, Sendable, Codable {
        case solid(color: RGBAColor)
        case video(source: String)
        case still(source: String)
        case text(text: String)
        case shape
        case captions(source: String)
        /// Drawn at `size` and blurred there by a Gaussian of `deviation` pixels, then enlarged where that is less than the canvas.
        case blurred(layer: LayerProgram, size: FrameSize, deviation: Double)
        case transition(kind: TransitionKind, from: StackProgram, to: StackProgram)
        case group(stack: StackProgram)
        /// Nothing of its own: what lies below is changed.
        case adjustment
    }

    /// How often the finished picture is drawn while the segment is rendered.
    public enum Repetition: Int, Hashable, Sendable, Codable, Comparable {
        /// At its first frame; then it is used again, until a layer that it is made of comes or goes.
        case once
        /// As often as its source has another picture.
        case whenSourceChanges
        case everyFrame

        public static func < (left: Repetition, right: Repetition) -> Bool { left.rawValue < right.rawValue }
    }

    /// How the picture comes together with what lies below it.
    public enum Joining: Hashable, Sendable, Codable {
        /// It covers everything and nothing lies above it: this very picture is the stack's, without a copy.
        case handedOn
        /// It covers everything: what is drawn above it goes onto a copy of it.
        case ground
        /// Into a rectangle of the stack.
        /// - Parameters:
        ///   - opacity: nil where it moves.
        ///   - isOpaque: whether the picture itself has no transparency.
        case blended(rect: PixelRect, mode: BlendMode, opacity: Double?, isOpaque: Bool)
        /// What lies below is changed where it is.
        case adjusts(mode: BlendMode, opacity: Double?)
        /// Nothing of it is seen at this frame.
        case unseen
    }

    public var content: Content
    /// Of a source's picture.
    public var reading: SourceReading?
    /// Nil where there are none.
    public var operations: OperationProgram?
    public var mask: MaskProgram?
    /// Of a layer that has a transform.
    public var placing: PlacingProgram?
    public var repetition: Repetition
    public var joining: Joining

    public init(_ content: Content, repetition: Repetition, joining: Joining) {
        self.content = content
        self.repetition = repetition
        self.joining = joining
    }
}
