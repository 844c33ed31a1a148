import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing
import Vocabulary
import Glibc

/// Masks: shapes and pictures, alpha and luma, inverted, feathered, animated, and on adjustment layers.
@Suite struct MaskTests {
    private static let size = FrameSize(width: 64, height: 48)
    private static let white = RGBAColor(red: 255, green: 255, blue: 255, alpha: 255)

    /// A white picture as large as the canvas, seen through a mask, on black. Its luma shows how much the mask lets
    /// through.
    private func white(_ mask: LayerMask) -> Layer {
        Layer(
            content: .group(layers: [.solid(MaskTests.white)], size: MaskTests.size), transform: .constant(x: 32, y: 24),
            mask: mask)
    }

    private func mask(
        _ layers: [Layer], _ channel: MaskChannel = .alpha, feather: AnimatedValue = .constant(0), inverted: Bool = false
    ) -> LayerMask {
        LayerMask(layers: layers, size: MaskTests.size, channel: channel, feather: feather, isInverted: inverted)
    }

    /// A coloured rectangle about a place.
    private func rect(
        x: AnimatedValue, y: Double, width: Double, height: Double, color: RGBAColor = white
    ) -> Layer {
        var transform = LayerTransform.constant(x: 0, y: y)
        transform.position.x = x
        return Layer(
            content: .shape(ShapeContent(outline: .rect(width: width, height: height, cornerRadius: 0), fill: color)),
            transform: transform)
    }

    /// How much of each pixel the mask lets through, 0...1, measured by the luma of white on black.
    private func seen(_ mask: LayerMask, frames: [Int] = [0]) throws -> [[Double]] {
        try composed([.solid(.black), white(mask)], canvas: MaskTests.size, [:], frames: frames).map { picture in
            picture.planes[0].map { (Double($0) - 16) / 219 }
        }
    }

    @Test("A masked picture shows exactly where the mask covers, bit for bit, chroma included")
    func shape() async throws {
        let directory = try TemporaryDirectory()
        let picture = PlanarPicture.noise(MaskTests.size, seed: 50)
        let source = try await TestSource([picture], in: directory)
        let layer = Layer(
            content: .still(source: source.hash), placement: .whole(into: PixelRect(MaskTests.size)),
            transform: .constant(x: 32, y: 24), mask: mask([rect(x: .constant(20), y: 20, width: 24, height: 16)]))
        let blue = RGBAColor(red: 40, green: 90, blue: 160, alpha: 255)
        var wanted = flatPicture(blue, MaskTests.size)
        for plane in 0..<3 {
            let step = plane == 0 ? 1 : 2
            for y in (12 / step)..<(28 / step) {
                for x in (8 / step)..<(32 / step) {
                    wanted.planes[plane][y * 64 / step + x] = picture.planes[plane][y * 64 / step + x]
                }
            }
        }
        #expect(try composed([.solid(blue), layer], canvas: MaskTests.size, source.sources)[0] == wanted)
    }

    @Test("An inverted mask shows what the mask hides, and hides what it shows", arguments: MaskChannel.allCases)
    func inverted(_ channel: MaskChannel) throws {
        let half = rect(
            x: .constant(31.5), y: 23.25, width: 30, height: 17, color: RGBAColor(red: 255, green: 255, blue: 255, alpha: 99))
        let plain = try seen(mask([half], channel))[0]
        let inverse = try seen(mask([half], channel, inverted: true))[0]
        #expect(zip(plain, inverse).allSatisfy { abs($0 + $1 - 1) < 1.5 / 219 })
        #expect(abs(plain[24 * 64 + 32] - 99.0 / 255) < 1.0 / 219 && plain[0] == 0)
    }

    private func rampLuma(column: Int) -> UInt8 { UInt8(16 + column * 219 / 63) }

    @Test("A luma mask lets through in proportion to its brightness, and nothing where it is transparent")
    func luma() async throws {
        let directory = try TemporaryDirectory()
        let ramp = PlanarPicture(
            size: MaskTests.size,
            planes: [
                (0..<64 * 48).map { rampLuma(column: $0 % 64) }, [UInt8](repeating: 128, count: 32 * 24),
                [UInt8](repeating: 128, count: 32 * 24),
            ])
        let source = try await TestSource([ramp], in: directory)
        let bright = Layer(
            content: .still(source: source.hash), placement: .whole(into: PixelRect(MaskTests.size)),
            transform: .constant(x: 32, y: 34))
        let picture = try composed(
            [.solid(.black), white(mask([bright], .luma))], canvas: MaskTests.size, source.sources)[0]
        for x in 0..<64 {
            #expect(abs(Int(picture.planes[0][30 * 64 + x]) - Int(ramp.planes[0][x])) <= 1)
            #expect(picture.planes[0][5 * 64 + x] == 16)
        }
    }

    @Test("A feathered edge is the sum of the Gaussian, within one code value of alpha", arguments: [1.5, 4])
    func feathered(_ deviation: Double) throws {
        let left = rect(x: .constant(16), y: 24, width: 32, height: 48)
        let row = try seen(mask([left], feather: .constant(deviation)))[0][(24 * 64)..<(25 * 64)]
        for (x, value) in row.enumerated() where abs(x - 32) < 14 {
            // The reference is a sum of samples and not the integral, because pixels are blurred.
            let radius = Int((3 * deviation).rounded(.up))
            var (covered, sum) = (0.0, 0.0)
            for distance in -radius...radius {
                let weight = exp(-Double(distance * distance) / (2 * deviation * deviation))
                sum += weight
                if x + distance < 32 { covered += weight }
            }
            #expect(abs(value - covered / sum) < 2.0 / 219)
        }
    }

    @Test("An animated mask equals a still one at every frame, and a frame drawn alone is the same")
    func moving() throws {
        let keys = [
            AnimatedValue.Key(time: .zero, value: 10), AnimatedValue.Key(time: MediaTime(Rational(4, 25)), value: 50),
        ]
        let softer = [
            AnimatedValue.Key(time: .zero, value: 0), AnimatedValue.Key(time: MediaTime(Rational(4, 25)), value: 4),
        ]
        let moving = mask(
            [rect(x: AnimatedValue(keys: keys), y: 24, width: 9, height: 20)], feather: AnimatedValue(keys: softer))
        let frames = try seen(moving, frames: [0, 1, 2, 3, 4])
        for (index, frame) in frames.enumerated() {
            let still = mask(
                [rect(x: .constant(10 + 10 * Double(index)), y: 24, width: 9, height: 20)],
                feather: .constant(Double(index)))
            #expect(try frame == seen(still)[0])
            #expect(try frame == seen(moving, frames: [index])[0])
        }
    }

    @Test("A masked adjustment layer changes what lies below only where the mask covers")
    func adjustment() async throws {
        let directory = try TemporaryDirectory()
        let picture = PlanarPicture.noise(MaskTests.size, seed: 51)
        let source = try await TestSource([picture], in: directory)
        let plain = Layer(content: .still(source: source.hash), placement: .whole(into: PixelRect(MaskTests.size)))
        var adjustment = Layer(content: .adjustment, operations: [ExportPlan.Operation(name: "invert")])
        let all = try composed([plain, adjustment], canvas: MaskTests.size, source.sources)[0]
        adjustment.mask = mask([rect(x: .constant(16), y: 24, width: 32, height: 48)])
        let half = try composed([plain, adjustment], canvas: MaskTests.size, source.sources)[0]
        #expect(all != picture)
        for y in 0..<48 {
            #expect(half.planes[0][y * 64..<y * 64 + 32] == all.planes[0][y * 64..<y * 64 + 32])
            #expect(half.planes[0][y * 64 + 32..<y * 64 + 64] == picture.planes[0][y * 64 + 32..<y * 64 + 64])
        }
    }

    @Test("A mask stays the same when its layer is shifted in time, and goes when the layer is hidden")
    func times() throws {
        let range = TimeRange(start: MediaTime(seconds: 1), duration: MediaTime(seconds: 2))
        let keys = [AnimatedValue.Key(time: .zero, value: 0), AnimatedValue.Key(time: MediaTime(seconds: 4), value: 8)]
        var layer = white(mask([rect(x: AnimatedValue(keys: keys), y: 24, width: 9, height: 20)]))
        layer.timeRange = TimeRange(start: .zero, duration: MediaTime(seconds: 4))
        let part = try #require(layer.restricted(to: range)?.shifted(by: MediaTime(seconds: -1)))
        #expect(part.mask?.layers.first?.transform?.position.x.value(at: MediaTime(seconds: 1)) == 4)
        #expect(layer.restricted(to: TimeRange(start: MediaTime(seconds: 5), duration: MediaTime(seconds: 1))) == nil)
    }
}
