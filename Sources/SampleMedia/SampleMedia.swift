import ExactTime
import ExportPlan
import Media
import Vocabulary
import FoundationEssentials

/// The sources of the example drafts: clips of different sizes and frame rates, a title card and music.
package enum SampleMedia {
    /// The paths of the files that `write(to:)` writes into a directory, in the same order.
    package static func paths(in directory: String) -> [String] { (clips.map(\.name) + [card]).map { "\(directory)/\($0)" } }

    private static let card = "card.png"

    /// Draws and encodes all files.
    /// - Parameter directory: created if it does not exist; files of the same names are replaced.
    /// - Returns: the files' paths.
    /// - Throws: `MediaError` `cannotWrite`.
    package static func write(to directory: String) throws -> [String] {
        do {
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        } catch {
            throw MediaError(.cannotWrite, subject: directory, message: "cannot be created")
        }
        for (name, clip) in clips { try clip.write(to: "\(directory)/\(name)") }
        let picture = try VideoFrame(.yuv420, FrameSize(width: 800, height: 600))
        NumberedPicture(blue: 110, red: 170).draw(2026, into: picture)
        let rgba = try PictureScaler(subject: card).scale(
            picture, region: .whole, color: .bt709, to: .rgba, size: picture.size)
        try PictureFile.write(rgba, as: .png, to: "\(directory)/\(card)")
        return paths(in: directory)
    }

    private static var clips: [(name: String, clip: SampleClip)] {
        func clip(_ blue: UInt8, _ red: UInt8, _ tone: Double?, _ width: Int, _ height: Int, _ rate: FrameRate, _ seconds: Int)
            -> SampleClip
        {
            SampleClip(
                picture: NumberedPicture(blue: blue, red: red), tone: tone.map { TestTone(frequency: $0) },
                size: FrameSize(width: width, height: height), frameRate: rate,
                frameCount: rate.firstFrame(atOrAfter: MediaTime(seconds: seconds)))
        }
        var music = clip(128, 128, 220, 64, 64, FrameRate(25), 6)
        music.tone = TestTone(frequency: 220, level: 0.1)
        return [
            ("sea.mp4", clip(165, 105, 440, 1280, 720, FrameRate(30), 8)),
            ("meadow.mp4", clip(95, 105, 550, 1280, 720, FrameRate(24), 6)),
            ("tower.mp4", clip(115, 160, 660, 720, 1280, FrameRate(25), 6)),
            ("music.mp4", music),
        ]
    }
}
