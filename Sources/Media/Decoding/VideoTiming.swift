import ExactTime
import ExportPlan

/// The frame rate, duration and keyframes that follow from the times of a stream's frames.
struct VideoTiming {
    var frameRate: FrameRate
    var isVariable: Bool
    var frameCount: Int
    /// The duration from source time 0 to the end of the last frame.
    var duration: MediaTime
    /// Source times at which decoding can start, rising.
    var keyframes: [MediaTime]
}

extension VideoTiming {
    /// Creates the timing of an animated picture, which ends after the duration of its last frame and decodes only from
    /// its start.
    /// - Parameters:
    ///   - starts: the start of each frame in ticks; the first is 0.
    ///   - end: the end of the last frame, in ticks.
    init(animation starts: [Int64], end: Int64, timeBase: Rational) {
        let times = FrameTimes(starts: starts, timeBase: timeBase)
        let end = MediaTime(ticks: max(end, (starts.last ?? 0) + 1), timeBase: timeBase)
        let constant = times.constantRate
        frameRate = constant ?? times.typicalRate ?? FrameRate(25)
        frameCount = starts.count
        keyframes = [.zero]
        let even = constant?.time(ofFrame: starts.count)
        // If the last frame is longer or shorter than the others, the rate counts as variable.
        let isEven = even.map { ($0 - end).seconds.magnitude <= timeBase } ?? false
        isVariable = !isEven && starts.count > 1
        duration = isEven ? even ?? end : end
    }
}
