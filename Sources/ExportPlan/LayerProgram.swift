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

/// How a decoded frame becomes a 4:2:0 picture of BT.709 at the size that is wanted.
public struct SourceReading: Hashable, Sendable, Codable {
    public enum Way: String, Hashable, Sendable, Codable {
        /// The decoder's frame as it is.
        case decoded
        /// One call of libswscale: size, colours and sample format.
        case scaled
        /// libswscale to 10-bit 4:4:4, then the map of wide colours onto BT.709.
        case gamutMapped
        /// As premultiplied RGBA, for its transparency.
        case premultiplied
    }

    public var way: Way
    /// As it is stored.
    public var storedSize: FrameSize
    /// The part of it that is seen.
    public var region: Region
    /// The turn that makes it upright, behind everything else.
    public var orientation: Orientation
    /// Of the finished picture.
    public var size: FrameSize

    public init(way: Way, storedSize: FrameSize, region: Region, orientation: Orientation, size: FrameSize) {
        self.way = way
        self.storedSize = storedSize
        self.region = region
        self.orientation = orientation
        self.size = size
    }
}

/// What a list of operations comes to at one frame.
public struct OperationProgram: Hashable, Sendable, Codable {
    /// What the picture is while they run.
    public enum Space: String, Hashable, Sendable, Codable {
        /// Nothing runs.
        case untouched
        /// 8-bit 4:2:0 throughout.
        case planes
        /// Two rows at a time as float red, green and blue.
        case rowsOfRGB
        /// The whole picture as float red, green and blue.
        case pictureOfRGB
    }

    /// Operations that run in one go.
    public struct Pass: Hashable, Sendable, Codable {
        public enum Kind: String, Hashable, Sendable, Codable {
            case pixelwise, spatial, gaussian, plugin
        }

        public var kind: Kind
        /// Their names, in order; of a plug-in its own.
        public var operations: [String]

        public init(kind: Kind, operations: [String]) {
            self.kind = kind
            self.operations = operations
        }
    }

    public var space: Space
    public var passes: [Pass]
    /// Operations that change nothing at this frame and are left out.
    public var neutral: [String]
    /// Whether the result is kept as long as the picture stays the same.
    public var isKept: Bool

    public init(space: Space, passes: [Pass], neutral: [String], isKept: Bool = false) {
        self.space = space
        self.passes = passes
        self.neutral = neutral
        self.isKept = isKept
    }
}

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

/// How a transform puts a picture onto the canvas.
public struct PlacingProgram: Hashable, Sendable, Codable {
    public enum Way: String, Hashable, Sendable, Codable {
        /// As it is: it has the canvas's size and place.
        case asItIs
        /// Averaged or interpolated along its axes.
        case alongAxes
        /// Rows become columns, then along the axes.
        case quarterTurn
        /// Interpolated sample by sample.
        case interpolated
        /// Averaged along its axes, then interpolated sample by sample.
        case shrunkAndInterpolated
        /// In perspective, by averages over what each sample sees.
        case perspective
    }

    public var way: Way
    /// Of the picture that is put down.
    public var size: FrameSize
    /// Whether place, size or angle move.
    public var isMoving: Bool

    public init(way: Way, size: FrameSize, isMoving: Bool) {
        self.way = way
        self.size = size
        self.isMoving = isMoving
    }
}
