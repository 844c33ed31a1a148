import ExactTime
import ExportPlan
import SampleMedia
import TestSupport

/// Numbered source clips of 320x180. The number of each frame can be read back from a film.
enum SourceClips {
    static let size = FrameSize(width: 320, height: 180)

    /// Writes a clip unless it exists in the directory.
    /// - Returns: its path.
    static func numbered(
        _ name: String, in directory: TemporaryDirectory, rate: FrameRate, frames: Int, keyframeInterval: Int = 48,
        tone: Double? = 440, sampleRate: Int = 44_100
    ) throws -> String {
        let path = directory.file(name)
        try SampleClip(
            picture: NumberedPicture(blue: 150, red: 110), tone: tone.map { TestTone(frequency: $0) }, size: size,
            frameRate: rate, frameCount: frames, keyframeInterval: keyframeInterval, sampleRate: sampleRate
        ).write(to: path)
        return path
    }

    /// The numbers that a film's frames show, as ffmpeg decodes them.
    static func numbers(of film: String) async throws -> [Int] {
        try await NumberedFrames(ofFile: film, size: size).frames.map(\.number)
    }
}
