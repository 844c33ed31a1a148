public import ExactTime
public import ExportPlan
import Vocabulary

/// Joins the segments of an animated picture into a file that plays over and over. The compressed pictures are copied; what changes are
/// their times, which are the film's.
public protocol AnimationWriter {
    /// Adds a segment's pictures.
    /// - Parameters:
    ///   - path: of the segment, a file of the same kind.
    ///   - frames: of the film, what the segment shows.
    /// - Throws: `MediaError` `damaged` where it does not hold as many.
    func add(segment path: String, frames: Range<Int>) throws(MediaError)

    /// Completes the file and closes it.
    func finish() throws(MediaError)
}

/// What the clock of an animated picture makes of the film's frames: whole ticks, without ever being late by more than half of one.
struct AnimationClock {
    let frameRate: FrameRate
    let ticksPerSecond: Int

    /// How long these frames are shown, in ticks.
    func ticks(_ frames: Range<Int>) -> Int { tick(frames.upperBound) - tick(frames.lowerBound) }

    private func tick(_ frame: Int) -> Int {
        (Rational(frame) * frameRate.frameDuration.seconds * Rational(ticksPerSecond)).rounded
    }
}

/// Opens a file of a kind that is an animated picture.
/// - Throws: `MediaError` `cannotWrite`.
public func animationWriter(
    _ settings: ContainerSettings, path: String, frameRate: FrameRate
) throws(MediaError) -> any AnimationWriter {
    if settings.fileType == .gif {
        return try GIFWriter(path: path, frameRate, tags: settings.metadata)
    }
    return try WebPWriter(path: path, frameRate, tags: settings.metadata)
}
