/// How the pictures of a segment are made.
public struct SegmentProgram: Hashable, Sendable, Codable {
    /// A frame of the segment, and how it is made.
    public struct Moment: Hashable, Sendable, Codable {
        public var frame: Int
        public var stack: StackProgram

        public init(frame: Int, stack: StackProgram) {
            self.frame = frame
            self.stack = stack
        }
    }

    /// The frames that were looked at, rising: the first, the middle one, the last, and those at which a layer comes or goes.
    public var frames: [Int]
    /// Those of them that are made in another way than the one before.
    public var moments: [Moment]

    public init(frames: [Int], moments: [Moment]) {
        self.frames = frames
        self.moments = moments
    }
}
