package import ExactTime
package import ExportPlan
import Vocabulary

/// Encodes the pictures of one segment with fast settings, to measure how many bits they take and to write the
/// statistics for a second pass.
package final class VideoMeasurement {
    private let statistics: String
    /// The encoder that writes the statistics; nil for SVT-AV1, which has none.
    private var first: VideoEncoder?
    /// A fast encoder that measures the size of the pictures if statistics do not contain it: for libvpx and SVT-AV1.
    private var counter: VideoEncoder?

    /// - Parameter statistics: the path of the statistics files, to which `PassStatistics.suffixes` are added.
    package init(
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
    package func add(_ frame: VideoFrame, index: Int) throws(MediaError) {
        try first?.encode(frame, index: index, to: nil)
        try counter?.encode(frame, index: index, to: nil)
        count += 1
    }

    /// Encodes the frames that are still held back, and completes the statistics files.
    /// - Returns: the cost of the pictures in bits.
    package func finish() throws(MediaError) -> PictureCost {
        try first?.finish(to: nil)
        try counter?.finish(to: nil)
        if let text = first?.statisticsText { try PassStatistics.write(text, to: statistics) }
        // libx264 and libx265 complete their statistics files when they are closed.
        first = nil
        guard let counter else { return try PassStatistics.cost(ofFile: statistics, pictures: count) }
        return PictureCost(texture: Double(counter.byteCount) * 8)
    }
}
