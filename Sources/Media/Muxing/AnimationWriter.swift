package import ExactTime
package import ExportPlan
import Vocabulary

/// Joins the segments of an animated picture into a file that loops forever. The compressed pictures are copied; only
/// their times change, to those of the film.
package protocol AnimationWriter {
    /// Adds a segment's pictures.
    /// - Parameters:
    ///   - path: the segment's file, of the same type as the film.
    ///   - frames: the frames of the film that the segment shows.
    /// - Throws: `MediaError` `damaged` if the segment has more or fewer pictures than that.
    func add(segment path: String, frames: Range<Int>) throws(MediaError)

    /// Completes the file and closes it.
    func finish() throws(MediaError)
}

/// Converts frames of the film into whole ticks of an animated picture's clock. Each time is rounded by itself, so no
/// frame is off by more than half a tick and errors do not add up.
struct AnimationClock {
    let frameRate: FrameRate
    let ticksPerSecond: Int

    /// The duration of these frames, in ticks.
    func ticks(_ frames: Range<Int>) -> Int { tick(frames.upperBound) - tick(frames.lowerBound) }

    private func tick(_ frame: Int) -> Int {
        (Rational(frame) * frameRate.frameDuration.seconds * Rational(ticksPerSecond)).rounded
    }
}

/// Opens a GIF or an animated WebP for writing.
/// - Throws: `MediaError` `cannotWrite`.
package func animationWriter(
    _ settings: ContainerSettings, path: String, frameRate: FrameRate
) throws(MediaError) -> any AnimationWriter {
    if settings.fileType.format.structure == .gif {
        return try GIFWriter(path: path, frameRate, tags: settings.metadata)
    }
    return try WebPWriter(path: path, frameRate, tags: settings.metadata)
}
