import Compositor
import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing

/// A subject with soft edges in front of a green screen, in 4:2:0 as cameras deliver it, keyed and put over grey. The
/// tests measure how much green is left, and compare with ffmpeg's `chromakey` and `despill` on the same picture.
@Suite struct ChromaKeyTests {
    private static let size = FrameSize(width: 160, height: 120)
    private static let grey = RGBAColor(red: 118, green: 118, blue: 118, alpha: 255)

    /// A disc with an edge that is several pixels wide.
    private func screen(_ subject: RGBAColor, over background: RGBAColor) -> PlanarPicture {
        let size = ChromaKeyTests.size
        let (front, back) = (flatPicture(subject, size), flatPicture(background, size))
        var picture = back
        for plane in 0..<3 {
            let step = plane == 0 ? 1.0 : 2.0
            let width = picture.width(plane)
            for index in picture.planes[plane].indices {
                let x = (Double(index % width) + 0.5) * step - 80
                let y = (Double(index / width) + 0.5) * step - 60
                let share = min(1, max(0, (40 - (x * x + y * y).squareRoot()) / 3 + 0.5))
                let (a, b) = (Double(front.planes[plane][index]), Double(back.planes[plane][index]))
                picture.planes[plane][index] = UInt8((b + (a - b) * share).rounded())
            }
        }
        return picture
    }

    /// The largest amount by which green exceeds red and blue, in code values of 255.
    private func greenest(_ picture: PlanarPicture) -> Double {
        var most = 0.0
        for y in 0..<picture.size.height {
            for x in 0..<picture.size.width {
                let chroma = y / 2 * picture.width(1) + x / 2
                let luma = (Double(picture.planes[0][y * picture.size.width + x]) - 16) / 219
                let blue = (Double(picture.planes[1][chroma]) - 128) / 224
                let red = (Double(picture.planes[2][chroma]) - 128) / 224
                let (r, b) = (luma + 1.5748 * red, luma + 1.8556 * blue)
                let g = (luma - 0.2126 * r - 0.0722 * b) / 0.7152
                most = max(most, (g - max(r, b)) * 255)
            }
        }
        return most
    }

    @Test(
        "At most a hundredth of the green remains around a subject, and nothing changes away from the edge",
        arguments: [
            RGBAColor(red: 224, green: 172, blue: 140, alpha: 255), RGBAColor(red: 240, green: 240, blue: 240, alpha: 255),
            RGBAColor(red: 40, green: 60, blue: 150, alpha: 255), RGBAColor(red: 30, green: 30, blue: 30, alpha: 255),
        ])
    func fringe(_ subject: RGBAColor) async throws {
        let directory = try TemporaryDirectory()
        let green = RGBAColor(red: 0, green: 255, blue: 0, alpha: 255)
        let source = try await TestSource([screen(subject, over: green)], in: directory)
        let layer = Layer(
            content: .still(source: source.hash), placement: .whole(into: PixelRect(ChromaKeyTests.size)),
            operations: [ExportPlan.Operation(name: "chromaKey")])
        let drawn = try composed([.solid(ChromaKeyTests.grey), layer], canvas: ChromaKeyTests.size, source.sources)[0]
        let path = directory.file("ffmpeg.mkv")
        try await FFmpegTool.ffmpeg([
            "-i", source.reference.path, "-filter_complex",
            "color=0x767676:s=160x120,format=yuv420p[background];[0]chromakey=0x00FF00:0.3:0.1,format=rgba,despill=type=green[key];"
                + "[key]scale=out_color_matrix=bt709:out_range=tv,format=yuva420p[keyed];[background][keyed]overlay=format=yuv420:shortest=1[out]",
            "-map", "[out]", "-frames:v", "1", "-c:v", "ffv1", "-pix_fmt", "yuv420p", path,
        ])
        let bytes = try await RawVideo.decode(path, pixelFormat: "yuv420p", bytesPerFrame: 160 * 120 * 3 / 2)[0]
        let theirs = PlanarPicture(size: ChromaKeyTests.size, bytes: bytes)
        let before = greenest(screen(subject, over: green))
        print("green left of \(before): \(greenest(drawn)), by ffmpeg \(greenest(theirs))")
        #expect(greenest(drawn) * 100 <= before)
        // The measure is valid: it shows that ffmpeg removes the green, too.
        #expect(greenest(theirs) * 20 <= before)
        // Pixels that are neither edge nor screen stay, and the screen is gone.
        let wanted = screen(subject, over: ChromaKeyTests.grey)
        var worst = 0
        for y in 0..<120 {
            for x in 0..<160 {
                let distance = Double((x - 80) * (x - 80) + (y - 60) * (y - 60)).squareRoot()
                guard abs(distance - 40) > 5 else { continue }
                let code = Int(drawn.planes[0][y * 160 + x])
                worst = max(worst, abs(code - Int(wanted.planes[0][y * 160 + x])))
            }
        }
        #expect(worst <= 2)
    }
}
