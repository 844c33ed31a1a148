/// An exact number of output frames per second, such as `30000/1001`, and the grid of frame times that it defines.
///
/// Frame `n` is shown at time `n / rate`. All counts here follow from that.
package struct FrameRate: Hashable, Sendable {
    /// Frames per second; above zero.
    package let framesPerSecond: Rational

    /// - Returns: nil unless the rate is above zero.
    package init?(_ framesPerSecond: Rational) {
        guard framesPerSecond > .zero else { return nil }
        self.framesPerSecond = framesPerSecond
    }

    /// Whole frames per second; for constants, above zero.
    package init(_ framesPerSecond: Int) {
        precondition(framesPerSecond > 0, "a frame rate is above zero")
        self.framesPerSecond = Rational(framesPerSecond)
    }

    /// How long one frame is shown.
    package var frameDuration: MediaTime { MediaTime(.one / framesPerSecond) }

    /// When frame `index` is shown.
    package func time(ofFrame index: Int) -> MediaTime {
        MediaTime(Rational(index) / framesPerSecond)
    }

    /// The first frame at or after `time`. For a duration it is `ceil(duration * rate)`, the number of frames that show
    /// a timeline of that length.
    package func firstFrame(atOrAfter time: MediaTime) -> Int {
        (time.seconds * framesPerSecond).ceil
    }

    /// The frames whose times lie in a half-open range.
    package func frames(in range: TimeRange) -> Range<Int> {
        let first = firstFrame(atOrAfter: range.start)
        return first..<max(first, firstFrame(atOrAfter: range.end))
    }
}

extension FrameRate: Codable {
    package func encode(to encoder: any Encoder) throws { try framesPerSecond.encode(to: encoder) }

    package init(from decoder: any Decoder) throws {
        let value = try Rational(from: decoder)
        guard let rate = FrameRate(value) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "a frame rate is above zero"))
        }
        self = rate
    }
}

extension FrameRate: CustomStringConvertible {
    package var description: String { framesPerSecond.description }
}
