/// Output frames per second, exact (`30000/1001`), and the grid of times that it lays over a timeline.
///
/// Frame `n` stands at time `n / rate`. Every count here follows from that one sentence.
public struct FrameRate: Hashable, Sendable {
    /// Frames per second; above zero.
    public let framesPerSecond: Rational

    /// - Returns: nil unless the rate is above zero.
    public init?(_ framesPerSecond: Rational) {
        guard framesPerSecond > .zero else { return nil }
        self.framesPerSecond = framesPerSecond
    }

    /// Whole frames per second; for constants, above zero.
    public init(_ framesPerSecond: Int) {
        precondition(framesPerSecond > 0, "a frame rate is above zero")
        self.framesPerSecond = Rational(framesPerSecond)
    }

    /// How long one frame is shown.
    public var frameDuration: MediaTime { MediaTime(.one / framesPerSecond) }

    /// When frame `index` is shown.
    public func time(ofFrame index: Int) -> MediaTime {
        MediaTime(Rational(index) / framesPerSecond)
    }

    /// The first frame that stands at or after `time`. As a count it is `ceil(duration * rate)`: how many frames show
    /// a timeline of that duration.
    public func firstFrame(atOrAfter time: MediaTime) -> Int {
        (time.seconds * framesPerSecond).ceil
    }

    /// The frames that stand inside a half-open range of time.
    public func frames(in range: TimeRange) -> Range<Int> {
        let first = firstFrame(atOrAfter: range.start)
        return first..<max(first, firstFrame(atOrAfter: range.end))
    }
}

extension FrameRate: Codable {
    public func encode(to encoder: any Encoder) throws { try framesPerSecond.encode(to: encoder) }

    public init(from decoder: any Decoder) throws {
        let value = try Rational(from: decoder)
        guard let rate = FrameRate(value) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "a frame rate is above zero"))
        }
        self = rate
    }
}

extension FrameRate: CustomStringConvertible {
    public var description: String { framesPerSecond.description }
}
