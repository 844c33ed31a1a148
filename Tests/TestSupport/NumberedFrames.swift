package import ExactTime
package import ExportPlan
import Media
import SampleMedia

/// The frames of a numbered video as ffprobe and ffmpeg see them: their start times and the numbers that they show.
/// From them follows which frame must be shown at a time.
package struct NumberedFrames: Sendable {
    /// The frames in presentation order; times count from the first frame.
    package let frames: [(time: MediaTime, number: Int)]
    /// Seconds per tick of the stream's timestamps.
    package let timeBase: Rational
    /// The start of the first frame, in container time.
    package let start: MediaTime

    /// Reads a file with the command line tools alone.
    /// - Parameter rate: the frame rate, for containers that store no times.
    package init(ofFile path: String, size: FrameSize, countingAt rate: FrameRate? = nil) async throws {
        let stream = try await FFmpegTool.ffprobe([
            "-select_streams", "v:0", "-show_entries", "stream=time_base", "-of", "csv=p=0", path,
        ])
        let shown = try await FFmpegTool.ffprobe([
            "-select_streams", "v:0", "-show_entries", "frame=best_effort_timestamp", "-of", "csv=p=0", path,
        ])
        let pictures = try await RawVideo.decode(path, pixelFormat: "gray", bytesPerFrame: size.width * size.height)
        let ticks =
            rate == nil
            ? shown.split(separator: "\n").compactMap { line in Int64(line.prefix { $0 == "-" || $0.isNumber }) }
            : pictures.indices.map(Int64.init)
        guard let base = rate?.frameDuration.seconds ?? Rational(text: stream.prefix { $0 == "/" || $0.isNumber }),
            let first = ticks.first, ticks.count == pictures.count
        else {
            throw FFmpegTool.Failure(description: "\(path): \(ticks.count) times for \(pictures.count) pictures")
        }
        timeBase = base
        start = MediaTime(ticks: first, timeBase: base)
        frames = zip(ticks, pictures).map { tick, picture in
            var samples = picture
            let number = samples.withUnsafeMutableBufferPointer { buffer in
                buffer.baseAddress.map {
                    NumberCode.read(Plane(base: $0, stride: size.width, width: size.width, height: size.height))
                }
            }
            return (MediaTime(ticks: tick - first, timeBase: base), number ?? -1)
        }
    }

    /// The number shown at a source time: that of the last frame that starts at or before it, or within the tolerance
    /// after it. Played backwards, it is that of the last frame that starts earlier by more than the tolerance. If
    /// there is no such frame, it is that of the first frame.
    package func number(at time: MediaTime, reversed: Bool, tolerance: MediaTime) -> Int {
        let shown =
            reversed ? frames.last { $0.time < time - tolerance } : frames.last { $0.time <= time + tolerance }
        return (shown ?? frames[0]).number
    }

    /// Times that test every edge of the rule, rising: at, just inside and just outside the tolerance on both sides of
    /// every frame's start, in the middle of frames, before the first and after the last frame.
    package func telling(_ tolerance: MediaTime, frameRate: FrameRate) -> [MediaTime] {
        let hair = MediaTime(Rational(1, 10_000_000))
        let half = frameRate.frameDuration * Rational(1, 2)
        let around = frames.flatMap { frame in
            [
                frame.time - tolerance - hair, frame.time - tolerance, frame.time, frame.time + tolerance,
                frame.time + tolerance + hair, frame.time + half,
            ]
        }
        let last = frames[frames.count - 1].time
        return ([MediaTime(Rational(-1, 3))] + around + [last + MediaTime(seconds: 5)]).sorted()
    }
}
