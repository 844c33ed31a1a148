import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing
import Glibc

/// The blurred background compared with a true Gaussian, summed sample by sample in `Double`.
@Suite struct BlurTests {
    private static let size = FrameSize(width: 192, height: 128)

    @Test("Away from edges a strong blur equals the Gaussian within three code values", arguments: [12.0, 16, 20, 30])
    func equalsGaussian(_ deviation: Double) async throws {
        let directory = try TemporaryDirectory()
        let picture = BlurTests.blocks
        let source = try await TestSource([picture], in: directory)
        let layer = Layer(content: source.playing, placement: .whole(into: PixelRect(BlurTests.size)))
        let blurred = try composed(
            [Layer(content: .blurred(layer: layer, deviation: deviation))], canvas: BlurTests.size, source.sources)[0]
        var worst = [0.0, 0, 0]
        for plane in 0..<3 {
            let scale = plane == 0 ? 1.0 : 2.0
            let (width, height) = (picture.width(plane), picture.height(plane))
            let wanted = gaussian(picture.planes[plane].map(Double.init), width, height, deviation / scale)
            let margin = Int(deviation / scale)
            for y in margin..<(height - margin) {
                for x in margin..<(width - margin) {
                    worst[plane] = max(worst[plane], abs(Double(blurred.planes[plane][y * width + x]) - wanted[y * width + x]))
                }
            }
        }
        #expect(worst.allSatisfy { $0 <= 3 }, "deviation \(deviation): \(worst)")
    }

    @Test("A blur of one colour is that colour, up to the edges", arguments: [0.5, 3, 20, 60])
    func flat(_ deviation: Double) throws {
        let color = RGBAColor(red: 200, green: 100, blue: 50, alpha: 255)
        let layer = Layer(content: .blurred(layer: .solid(color), deviation: deviation))
        #expect(try composed([layer], canvas: BlurTests.size, [:])[0] == flatPicture(color, BlurTests.size))
    }

    @Test(
        "A blurred background is drawn for every canvas size",
        arguments: [
            FrameSize(width: 16, height: 16), FrameSize(width: 34, height: 18), FrameSize(width: 130, height: 94),
        ])
    func anySize(_ canvas: FrameSize) async throws {
        let directory = try TemporaryDirectory()
        let source = try await TestSource([BlurTests.blocks], in: directory)
        let layer = Layer(content: source.playing, placement: .whole(into: PixelRect(canvas)))
        for deviation in [1.0, 10, 80] {
            let picture = try composed(
                [Layer(content: .blurred(layer: layer, deviation: deviation))], canvas: canvas, source.sources)[0]
            #expect(picture.size == canvas)
            // A mean lies between its samples, except that the scaler overshoots slightly at edges.
            for plane in 0..<3 { #expect(picture.planes[plane].allSatisfy { (8...242).contains($0) }, "plane \(plane)") }
        }
    }

    /// Blocks of random brightness and colour, with edges and flat areas large enough to remain visible at the tested
    /// strengths.
    private static let blocks: PlanarPicture = {
        var random = RandomNumbers(seed: 61)
        var picture = PlanarPicture(size: size, y: 0, u: 0, v: 0)
        for plane in 0..<3 {
            let side = plane == 0 ? 32 : 16
            let codes = (0..<24).map { _ in UInt8.random(in: 30...220, using: &random) }
            for y in 0..<picture.height(plane) {
                for x in 0..<picture.width(plane) {
                    picture.planes[plane][y * picture.width(plane) + x] = codes[y / side * 6 + x / side]
                }
            }
        }
        return picture
    }()

    /// One pass in each direction. Beyond the picture's edges the edge samples are repeated.
    private func gaussian(_ samples: [Double], _ width: Int, _ height: Int, _ deviation: Double) -> [Double] {
        let reach = Int(deviation * 5)
        let weights = (-reach...reach).map { exp(-Double($0 * $0) / (2 * deviation * deviation)) }
        let total = weights.reduce(0, +)
        var across = samples
        for y in 0..<height {
            for x in 0..<width {
                across[y * width + x] =
                    weights.indices.reduce(0) {
                        $0 + weights[$1] * samples[y * width + min(max(x + $1 - reach, 0), width - 1)]
                    } / total
            }
        }
        var result = across
        for y in 0..<height {
            for x in 0..<width {
                result[y * width + x] =
                    weights.indices.reduce(0) {
                        $0 + weights[$1] * across[min(max(y + $1 - reach, 0), height - 1) * width + x]
                    } / total
            }
        }
        return result
    }
}
