import ExportPlan
import Media
import TestSupport
import Testing
import Vocabulary
import FoundationEssentials
import Glibc

@Suite("Picture limits")
struct PictureLimitTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func expectOverLimit(_ path: String, _ message: String) {
        let error = #expect(throws: MediaError.self) { try Probe.facts(ofFile: path) }
        #expect(error?.code == .overLimit)
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    @Test("A picture of 16 384 pixels a side is read, and one of a pixel more is refused", arguments: [true, false])
    func sides(_ isWide: Bool) async throws {
        for (side, isRead) in [(PictureLimits.side, true), (PictureLimits.side + 1, false)] {
            let size = isWide ? FrameSize(width: side, height: 4) : FrameSize(width: 4, height: side)
            let path = directory.file("\(size).png")
            try await FFmpegTool.ffmpeg([
                "-f", "lavfi", "-i", "color=red:s=\(size.width)x\(size.height),format=rgb24", "-frames:v", "1", path,
            ])
            if isRead {
                #expect(try Probe.facts(ofFile: path).video?.size == size)
            } else {
                expectOverLimit(path, " pixels; at most \(PictureLimits.side) a side are read")
            }
        }
    }

    @Test("JSON of a byte more than 16 MiB is not read")
    func animationBytes() throws {
        let path = directory.file("long.json")
        try Data("{".utf8).write(to: URL(fileURLWithPath: path))
        try #require(truncate(path, 16_777_217) == 0)
        expectOverLimit(
            path, "is JSON of 16777217 bytes; Lottie animations are read up to 16777216, so simplify it")
    }

    @Test("A WebP picture of a pixel more than its type allows is not written")
    func writtenSide() throws {
        let path = directory.file("wide.webp")
        let error = #expect(throws: MediaError.self) {
            try PictureFile.write(try VideoFrame(.rgba, FrameSize(width: 16_384, height: 1)), as: .webp, to: path)
        }
        #expect(error?.code == .overLimit && error?.subject == path)
        #expect(
            error?.message == "would be a webp picture of 16384x1; its sides may have 16383 pixels, so make it smaller")
    }

    /// A GIF whose frames have one pixel each.
    private func write(_ size: FrameSize, frames: Int) throws -> String {
        let frame = HandmadeGIF.Frame(x: 0, y: 0, width: 1, height: 1, disposal: 1, transparent: nil, pixels: [1])
        let picture = HandmadeGIF(
            width: size.width, height: size.height, background: 0, frames: Array(repeating: frame, count: frames))
        let path = directory.file("\(size)-\(frames).gif")
        try Data(picture.bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test("An animation of 33 554 432 pixels is read, and one that is a pixel wider is refused")
    func animationPixels() throws {
        let height = 4096
        let width = PictureLimits.animationPixels / height
        let path = try write(FrameSize(width: width, height: height), frames: 2)
        #expect(try Probe.facts(ofFile: path).video?.size == FrameSize(width: width, height: height))
        expectOverLimit(
            try write(FrameSize(width: width + 1, height: height), frames: 2),
            "is an animation of \(width + 1)x\(height) pixels; at most \(PictureLimits.animationPixels) pixels are read")
    }

    @Test("An animation of 20 000 frames is read, and one of a frame more is refused")
    func animationFrames() throws {
        let size = FrameSize(width: 2, height: 2)
        let path = try write(size, frames: PictureLimits.animationFrames)
        #expect(try Probe.facts(ofFile: path).video?.frameCount == PictureLimits.animationFrames)
        expectOverLimit(
            try write(size, frames: PictureLimits.animationFrames + 1),
            "has \(PictureLimits.animationFrames + 1) frames; animations of at most \(PictureLimits.animationFrames) are read")
    }

    @Test("A picture file of 256 MiB that is read whole is read, and one of a byte more is refused")
    func fileBytes() async throws {
        let path = directory.file("a.webp")
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=size=64x36:rate=5,format=rgba", "-frames:v", "3", "-c:v", "libwebp_anim", "-loop",
            "0", path,
        ])
        // What follows the last frame is not read as a picture.
        try #require(truncate(path, PictureLimits.fileBytes) == 0)
        #expect(try Probe.facts(ofFile: path).video?.frameCount == 3)
        try #require(truncate(path, PictureLimits.fileBytes + 1) == 0)
        expectOverLimit(
            path, "has \(PictureLimits.fileBytes + 1) bytes; pictures of this kind are read up to \(PictureLimits.fileBytes)")
    }
}
