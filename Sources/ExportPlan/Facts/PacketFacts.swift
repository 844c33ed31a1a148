package import ExactTime

/// What has to be known of a source's packets to join some of them with packets of another source.
package struct PacketFacts: Hashable, Sendable, Codable {
    /// A keyframe at which decoding can start only with care, because an open group of pictures begins with it.
    package struct OpenKeyframe: Hashable, Sendable, Codable {
        /// Source time.
        package var time: MediaTime
        /// The source time of the first picture that is decoded after the keyframe. Pictures that are shown before this
        /// one refer to pictures on both sides of the keyframe.
        package var firstShown: MediaTime
        /// Whether the packets before it may come from another encoder. In H.264 this takes an IDR picture.
        package var canFollowOthers: Bool

        package init(time: MediaTime, firstShown: MediaTime, canFollowOthers: Bool) {
            self.time = time
            self.firstShown = firstShown
            self.canFollowOthers = canFollowOthers
        }
    }

    /// The sha256 of the decoder configuration in the container (the parameter sets). Sources with the same value can
    /// be joined without further preparation.
    package var setup: String
    /// Open keyframes in order of time.
    package var openKeyframes: [OpenKeyframe]

    package init(setup: String, openKeyframes: [OpenKeyframe]) {
        self.setup = setup
        self.openKeyframes = openKeyframes
    }
}
