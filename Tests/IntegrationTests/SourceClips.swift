import ExactTime
import ExportPlan
import SampleMedia
import TestSupport

/// Numbered clips for exports: 320x180, and every frame can be read back from the film.
enum SourceClips {
    static let size = FrameSize(width: 320, height: 180)

    /// Writes a clip unless the directory has it.
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

    /// The numbers that a film's frames show, read from what ffmpeg decodes.
    static func numbers(of film: String) async throws -> [Int] {
        try await NumberedFrames(ofFile: film, size: size).frames.map(\.number)
    }
}
