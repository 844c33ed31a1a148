public import ExactTime
public import ExportPlan
import Vocabulary

/// Encodes the pictures of one segment in a hurry, to find out what they cost and what a second pass needs to know.
public final class VideoMeasurement {
    private let statistics: String
    /// Writes the statistics; nil of SVT-AV1, which has none.
    private var first: VideoEncoder?
    /// Is asked what pictures cost where statistics do not say: libvpx's and SVT-AV1's.
    private var counter: VideoEncoder?

    /// - Parameter statistics: a path that files are written to, with `PassStatistics.suffixes`.
    public init(
        _ settings: VideoEncodeSettings, size: FrameSize, frameRate: FrameRate, statistics: String
    ) throws(MediaError) {
        self.statistics = statistics
        if settings.codec != .av1 {
            first = try VideoEncoder(settings, size: size, frameRate: frameRate, pass: .first(statistics: statistics))
        }
        if settings.codec == .av1 || settings.codec == .vp9 {
            var fast = settings
            fast.speed = "ultrafast"
            counter = try VideoEncoder(fast, size: size, frameRate: frameRate)
        }
    }

    private var count = 0

    /// Encodes `frame` as number `index` of the segment.
    public func add(_ frame: VideoFrame, index: Int) throws(MediaError) {
        try first?.encode(frame, index: index, to: nil)
        try counter?.encode(frame, index: index, to: nil)
        count += 1
    }

    /// Encodes what is still held back, and completes the files of statistics.
    /// - Returns: what the pictures took.
    public func finish() throws(MediaError) -> PictureCost {
        try first?.finish(to: nil)
        try counter?.finish(to: nil)
        if let text = first?.statisticsText { try PassStatistics.write(text, to: statistics) }
        // libx264 and libx265 complete their files when they are closed.
        first = nil
        guard let counter else { return try PassStatistics.cost(ofFile: statistics, pictures: count) }
        return PictureCost(texture: Double(counter.byteCount) * 8)
    }
}
