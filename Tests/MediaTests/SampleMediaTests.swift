import ContentHashing
import ExportPlan
import Media
import SampleMedia
import TestSupport
import Testing

/// The sources of the example drafts.
@Suite struct SampleMediaTests {
    @Test("Sample media have the same bytes each time, and the card is the picture that was drawn", .slow)
    func repeatable() async throws {
        let (first, second) = (try TemporaryDirectory(), try TemporaryDirectory())
        let files = try SampleMedia.write(to: first.path)
        let again = try SampleMedia.write(to: second.path)
        #expect(try files.map { try ContentHash.ofFile($0).hash } == again.map { try ContentHash.ofFile($0).hash })
        let size = FrameSize(width: 800, height: 600)
        let drawn = try VideoFrame(.yuv420, size)
        NumberedPicture(blue: 110, red: 170).draw(2026, into: drawn)
        let card = try #require(files.last)
        let rgb = try await RawVideo.decode(card, pixelFormat: "rgb24", bytesPerFrame: 3 * size.width * size.height)[0]
        // Only pixels of the field are compared, because RGB can represent their colours; it cannot represent the
        // coloured white of the digits.
        let field = PlanarPicture(drawn).planes[0].enumerated().filter { (60...160).contains($0.element) }
        let near = field.count { index, wanted in
            let (r, g, b) = (Double(rgb[3 * index]), Double(rgb[3 * index + 1]), Double(rgb[3 * index + 2]))
            let luma = 16 + 219 * (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255
            return abs(luma - Double(wanted)) <= 3
        }
        #expect(field.count > size.width * size.height / 2)
        #expect(Double(near) >= 0.99 * Double(field.count))
    }
}
