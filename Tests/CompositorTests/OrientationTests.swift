import ExactTime
import ExportPlan
import Media
import SampleMedia
import TestSupport
import Testing
import FoundationEssentials

/// Rotation and mirroring: every sample lands in its computed place, whole and cropped, and files declare their
/// rotation.
@Suite struct OrientationTests {
    static let all = (0..<4).flatMap { turns in
        [false, true].map { Orientation(quarterTurns: turns, mirrored: $0) }
    }
    private static let stored = FrameSize(width: 64, height: 40)

    @Test("Each of the eight orientations moves every sample to its place", arguments: all)
    func whole(_ orientation: Orientation) async throws {
        let directory = try TemporaryDirectory()
        let picture = PlanarPicture.noise(OrientationTests.stored, seed: 41)
        let source = try await TestSource([picture], in: directory)
        let wanted = upright(picture, orientation)
        let layer = Layer(content: source.playing, placement: .whole(into: PixelRect(wanted.size), orientation))
        #expect(try composed([layer], canvas: wanted.size, source.sources)[0] == wanted)
    }

    @Test("A crop is measured on the upright picture in each of the eight orientations", arguments: all)
    func cropped(_ orientation: Orientation) async throws {
        let directory = try TemporaryDirectory()
        let picture = PlanarPicture.noise(OrientationTests.stored, seed: 42)
        let source = try await TestSource([picture], in: directory)
        let rotated = upright(picture, orientation)
        let part = PixelRect(x: 6, y: 4, width: 24, height: 18)
        let (width, height) = (Int64(rotated.size.width), Int64(rotated.size.height))
        let region = Region(
            x: Rational(6, width), y: Rational(4, height), width: Rational(24, width), height: Rational(18, height))
        let layer = Layer(
            content: source.playing,
            placement: Placement(orientation: orientation, region: region, destination: PixelRect(part.size)))
        var wanted = PlanarPicture(size: part.size, y: 0, u: 0, v: 0)
        for plane in 0..<3 {
            let step = plane == 0 ? 1 : 2
            for y in 0..<wanted.height(plane) {
                for x in 0..<wanted.width(plane) {
                    wanted.planes[plane][y * wanted.width(plane) + x] =
                        rotated.planes[plane][(part.y / step + y) * rotated.width(plane) + part.x / step + x]
                }
            }
        }
        #expect(try composed([layer], canvas: part.size, source.sources)[0] == wanted)
    }

    @Test("A video that its container rotates looks as ffmpeg shows it", arguments: [90, 180, 270])
    func container(_ degrees: Int) async throws {
        let directory = try TemporaryDirectory()
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=64x40:r=25:d=0.08", "-vf", "format=yuv420p", "-c:v", "libx264", "-qp", "0",
            "-colorspace", "bt709", "-color_range", "tv", directory.file("plain.mp4"),
        ])
        let path = directory.file("rotated.mp4")
        try await FFmpegTool.ffmpeg([
            "-i", directory.file("plain.mp4"), "-c", "copy", "-metadata:s:v:0", "rotate=\(degrees)", path,
        ])
        let source = try TestSource(path)
        let size = try #require(source.reference.facts.video?.displaySize)
        let shown = try await RawVideo.decode(path, pixelFormat: "yuv420p", bytesPerFrame: 64 * 40 * 3 / 2)
        // Without a placement a layer fills the canvas and is rotated as the file says.
        let picture = try composed([Layer(content: source.playing)], canvas: size, source.sources)[0]
        #expect(size == (degrees == 180 ? FrameSize(width: 64, height: 40) : FrameSize(width: 40, height: 64)))
        #expect(picture.bytes == shown[0])
    }

    @Test("A JPEG's EXIF orientation is applied for all eight values", arguments: 1...8)
    func exif(_ tag: Int) async throws {
        let directory = try TemporaryDirectory()
        let plain = directory.file("plain.jpg")
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.04", "-vf", "format=yuvj420p", "-q:v", "2", plain,
        ])
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: plain)))
        let tagged = directory.file("tagged.jpg")
        try Data(withOrientation(bytes, tag)).write(to: URL(fileURLWithPath: tagged))
        let reference = try TestSource(plain)
        let source = try TestSource(tagged)
        // The rotation and mirroring for each value of the tag: EXIF 2.3, tag 0x0112, names the places of the stored
        // picture's row 0 and column 0.
        let meaning = [
            (0, false), (0, true), (2, false), (2, true), (3, true), (1, false), (1, true), (3, false),
        ][tag - 1]
        let orientation = Orientation(quarterTurns: meaning.0, mirrored: meaning.1)
        let stored = try composed(
            [Layer(content: .still(source: reference.hash))], canvas: FrameSize(width: 64, height: 48), reference.sources)[0]
        let wanted = upright(stored, orientation)
        let picture = try composed([Layer(content: .still(source: source.hash))], canvas: wanted.size, source.sources)[0]
        #expect(source.reference.facts.video?.displaySize == wanted.size)
        #expect(picture.largestDifference(from: wanted) <= 1)
    }

    /// The JPEG with an EXIF segment of one tag, right after its start marker.
    private func withOrientation(_ jpeg: [UInt8], _ tag: Int) -> [UInt8] {
        let header: [UInt8] = [0x45, 0x78, 0x69, 0x66, 0, 0, 0x4D, 0x4D, 0, 42, 0, 0, 0, 8]
        let directory: [UInt8] = [0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(tag), 0, 0, 0, 0, 0, 0]
        let length = header.count + directory.count + 2
        return [0xFF, 0xD8, 0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + header + directory + jpeg[2...]
    }

    /// The picture mirrored left to right if required, and then rotated clockwise, sample by sample.
    private func upright(_ picture: PlanarPicture, _ orientation: Orientation) -> PlanarPicture {
        var result = picture
        if orientation.mirrored {
            result = moved(result, result.size) { x, y, width, _ in (width - 1 - x, y) }
        }
        for _ in 0..<orientation.quarterTurns {
            let size = FrameSize(width: result.size.height, height: result.size.width)
            // In a clockwise rotation the left column, from its lower end upwards, becomes the top row.
            result = moved(result, size) { x, y, _, height in (y, height - 1 - x) }
        }
        return result
    }

    /// - Parameter place: where the sample of the new (x, y) is in the old plane, whose size is `width` by `height`.
    private func moved(
        _ picture: PlanarPicture, _ size: FrameSize, _ place: (Int, Int, _ width: Int, _ height: Int) -> (x: Int, y: Int)
    ) -> PlanarPicture {
        var result = PlanarPicture(size: size, y: 0, u: 0, v: 0)
        for plane in 0..<3 {
            for y in 0..<result.height(plane) {
                for x in 0..<result.width(plane) {
                    let from = place(x, y, picture.width(plane), picture.height(plane))
                    result.planes[plane][y * result.width(plane) + x] =
                        picture.planes[plane][from.y * picture.width(plane) + from.x]
                }
            }
        }
        return result
    }
}
