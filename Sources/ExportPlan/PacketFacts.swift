public import ExactTime

/// What has to be known of a film's packets to put some of them beside those of another.
public struct PacketFacts: Hashable, Sendable, Codable {
    /// A keyframe that is not like others: an open group of pictures begins with it.
    public struct OpenKeyframe: Hashable, Sendable, Codable {
        /// Source time.
        public var time: MediaTime
        /// Source time of the first picture that is decoded behind it: one that is shown before it leans on both sides.
        public var firstShown: MediaTime
        /// Whether what comes before it may be another encoder's. In H.264 that takes an IDR picture.
        public var canFollowOthers: Bool

        public init(time: MediaTime, firstShown: MediaTime, canFollowOthers: Bool) {
            self.time = time
            self.firstShown = firstShown
            self.canFollowOthers = canFollowOthers
        }
    }

    /// sha256 of what the container gives a decoder to begin with, its parameter sets. Films that have the same are joined without more.
    public var setup: String
    /// Rising.
    public var openKeyframes: [OpenKeyframe]

    public init(setup: String, openKeyframes: [OpenKeyframe]) {
        self.setup = setup
        self.openKeyframes = openKeyframes
    }
}
