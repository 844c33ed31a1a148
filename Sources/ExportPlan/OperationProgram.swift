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
