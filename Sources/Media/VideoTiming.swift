import ExactTime
import ExportPlan

/// What the times of a stream's frames say together.
struct VideoTiming {
    var frameRate: FrameRate
    var isVariable: Bool
    var frameCount: Int
    /// From source time 0 to the end of the last frame.
    var duration: MediaTime
    /// Source times at which decoding can start, rising.
    var keyframes: [MediaTime]
}

extension VideoTiming {
    /// Of an animated picture: it ends where its last frame says, whatever its rate, and decodes from its start alone.
    /// - Parameters:
    ///   - starts: in ticks; the first is 0.
    ///   - end: of the last frame, in ticks.
    init(animation starts: [Int64], end: Int64, timeBase: Rational) {
        let times = FrameTimes(starts: starts, timeBase: timeBase)
        let end = MediaTime(ticks: max(end, (starts.last ?? 0) + 1), timeBase: timeBase)
        let constant = times.constantRate
        frameRate = constant ?? times.typicalRate ?? FrameRate(25)
        frameCount = starts.count
        keyframes = [.zero]
        let even = constant?.time(ofFrame: starts.count)
        // A last frame that stands longer or shorter than the others makes the whole uneven.
        let isEven = even.map { ($0 - end).seconds.magnitude <= timeBase } ?? false
        isVariable = !isEven && starts.count > 1
        duration = isEven ? even ?? end : end
    }
}
