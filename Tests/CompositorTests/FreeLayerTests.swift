import Compositor
import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing
import Vocabulary

/// Layers that are put anywhere: moved, scaled, turned, grouped, adjusted.
@Suite struct FreeLayerTests {
    private static let size = FrameSize(width: 66, height: 50)
    private static let canvas = FrameSize(width: 120, height: 90)
    private static let blue = RGBAColor(red: 40, green: 90, blue: 160, alpha: 255)

    private func still(_ hash: String, _ transform: LayerTransform?, operations: [ExportPlan.Operation]? = nil) -> Layer {
        Layer(
            content: .still(source: hash), placement: .whole(into: PixelRect(FreeLayerTests.size)), transform: transform,
            operations: operations)
    }

    @Test("A picture at whole pixels and its own size is exact to the bit")
    func exact() async throws {
        let directory = try TemporaryDirectory()
        let picture = PlanarPicture.noise(FreeLayerTests.size, seed: 40)
        let source = try await TestSource([picture], in: directory)
        let free = still(source.hash, .constant(x: 14 + 33, y: 22 + 25))
        let drawn = try composed([.solid(FreeLayerTests.blue), free], canvas: FreeLayerTests.canvas, source.sources)[0]
        var wanted = flatPicture(FreeLayerTests.blue, FreeLayerTests.canvas)
        wanted.draw(picture, at: PixelRect(x: 14, y: 22, width: 66, height: 50)) { Double($1) }
        #expect(drawn == wanted)
    }

    @Test("Scaled luma is the triangle filter's within one code value, at any position", arguments: [0.37, 0.8, 1.0, 1.7])
    func scaled(_ scale: Double) async throws {
        let directory = try TemporaryDirectory()
        let picture = PlanarPicture.noise(FreeLayerTests.size, seed: 41)
        let source = try await TestSource([picture], in: directory)
        let (x, y) = (60.3, 44.6)
        let free = still(source.hash, .constant(x: x, y: y, scale: scale))
        let black = RGBAColor.black
        let drawn = try composed([.solid(black), free], canvas: FreeLayerTests.canvas, source.sources)[0]
        let (width, height) = (66.0, 50.0)
        var worst = 0.0
        for row in 0..<FreeLayerTests.canvas.height {
            for column in 0..<FreeLayerTests.canvas.width {
                let across = taps(column, scale, x - width / 2 * scale, 66)
                let down = taps(row, scale, y - height / 2 * scale, 50)
                var value = 0.0
                var covered = 0.0
                for (sampleY, weightY) in down {
                    for (sampleX, weightX) in across {
                        covered += weightX * weightY
                        value += weightX * weightY * Double(picture.planes[0][sampleY * 66 + sampleX])
                    }
                }
                let wanted = value + (1 - covered) * 16
                worst = max(worst, abs(Double(drawn.planes[0][row * FreeLayerTests.canvas.width + column]) - wanted))
            }
        }
        #expect(worst <= 1.5, "alpha and colour are rounded one after the other")
    }

    /// Samples that make up one of a scaled axis, with weights that add up to how much of it is covered.
    private func taps(_ index: Int, _ scale: Double, _ offset: Double, _ length: Int) -> [(Int, Double)] {
        let center = (Double(index) + 0.5 - offset) / scale - 0.5
        let radius = max(1, 1 / scale)
        let all = (Int(center - radius) - 2...Int(center + radius) + 2).map {
            ($0, max(0, 1 - abs(Double($0) - center) / radius))
        }
        let sum = all.reduce(0) { $0 + $1.1 }
        return all.filter { $0.0 >= 0 && $0.0 < length && $0.1 > 0 }.map { ($0.0, $0.1 / sum) }
    }

    @Test("A quarter turn is the turned picture, and four of them the picture itself")
    func quarterTurns() async throws {
        let directory = try TemporaryDirectory()
        let size = FrameSize(width: 40, height: 40)
        let picture = PlanarPicture.noise(size, seed: 42)
        let source = try await TestSource([picture], in: directory)
        func turned(_ degrees: Double) throws -> PlanarPicture {
            let layer = Layer(
                content: .still(source: source.hash), placement: .whole(into: PixelRect(size)),
                transform: .constant(x: 20, y: 20, rotation: degrees))
            return try composed([.solid(.black), layer], canvas: size, source.sources)[0]
        }
        let quarter = try turned(90)
        for y in 0..<40 {
            for x in 0..<40 where quarter.planes[0][y * 40 + x] != picture.planes[0][(39 - x) * 40 + y] {
                Issue.record("(\(x), \(y)) is not what was at (\(y), \(39 - x))")
                return
            }
        }
        #expect(try turned(360) == picture)
        #expect(try turned(180).planes[0] == picture.planes[0].reversed())
    }

    @Test("A turned flat picture has no fringe: inside it is its colour, outside the background's")
    func noFringe() throws {
        let white = RGBAColor(red: 255, green: 255, blue: 255, alpha: 255)
        let flat = Layer(
            content: .group(layers: [.solid(white)], size: FrameSize(width: 40, height: 30)),
            transform: .constant(x: 60, y: 45, rotation: 33))
        let drawn = try composed([.solid(white), flat], canvas: FreeLayerTests.canvas, [:])[0]
        #expect(drawn == flatPicture(white, FreeLayerTests.canvas))
    }

    @Test("A group of the canvas's size with one layer is that layer alone, to the bit")
    func group() async throws {
        let directory = try TemporaryDirectory()
        let source = try await TestSource([PlanarPicture.noise(FreeLayerTests.size, seed: 43)], in: directory)
        for rotation in [0.0, 25] {
            let layer = still(source.hash, .constant(x: 50.5, y: 40.25, scale: 0.9, rotation: rotation))
            let grouped = Layer(
                content: .group(layers: [layer], size: FreeLayerTests.canvas), transform: .constant(x: 60, y: 45))
            let ground = Layer.solid(FreeLayerTests.blue)
            let alone = try composed([ground, layer], canvas: FreeLayerTests.canvas, source.sources)[0]
            #expect(try composed([ground, grouped], canvas: FreeLayerTests.canvas, source.sources)[0] == alone)
        }
    }

    @Test("An adjustment layer over everything is the operation on the picture below")
    func adjustment() async throws {
        let directory = try TemporaryDirectory()
        let source = try await TestSource([PlanarPicture.noise(FreeLayerTests.size, seed: 44)], in: directory)
        let operations = [ExportPlan.Operation(name: "contrast", parameters: ["amount": .constant(1.4)])]
        let plain = Layer(content: .still(source: source.hash), placement: .whole(into: PixelRect(FreeLayerTests.size)))
        var changed = plain
        changed.operations = operations
        let adjusted = try composed(
            [plain, Layer(content: .adjustment, operations: operations)], canvas: FreeLayerTests.size, source.sources)
        #expect(try adjusted == composed([changed], canvas: FreeLayerTests.size, source.sources))
    }

    @Test("A layer is seen in its time range only, and a frame alone is the frame among others")
    func visibility() throws {
        var flat = Layer.solid(RGBAColor(red: 255, green: 255, blue: 255, alpha: 255))
        flat.timeRange = TimeRange(start: MediaTime(Rational(2, 25)), duration: MediaTime(Rational(2, 25)))
        let layers = [Layer.solid(.black), flat]
        let frames = try composed(layers, canvas: FreeLayerTests.size, [:], frames: [0, 1, 2, 3, 4, 5])
        #expect(frames.map { $0.planes[0][0] } == [16, 16, 235, 235, 16, 16])
        #expect(try composed(layers, canvas: FreeLayerTests.size, [:], frames: [3])[0] == frames[3])
    }

    @Test("Blended colours are the W3C formula's within two code values of luma", arguments: BlendMode.allCases)
    func blending(_ mode: BlendMode) throws {
        let (below, above) = (
            RGBAColor(red: 200, green: 60, blue: 90, alpha: 255), RGBAColor(red: 70, green: 180, blue: 30, alpha: 255)
        )
        let layer = Layer(
            content: .group(layers: [.solid(above)], size: FreeLayerTests.size), transform: .constant(x: 33, y: 25),
            opacity: .constant(0.6), blendMode: mode)
        let drawn = try composed([.solid(below), layer], canvas: FreeLayerTests.size, [:])[0]
        let formula = BlendFormula(mode)
        func channel(_ b: UInt8, _ s: UInt8) -> Double {
            let mixed = Double(formula.mix(Float(b) / 255, Float(s) / 255))
            return 0.4 * Double(b) / 255 + 0.6 * mixed
        }
        let (r, g, b) = (channel(below.red, above.red), channel(below.green, above.green), channel(below.blue, above.blue))
        let luma = 16 + 219 * (0.2126 * r + 0.7152 * g + 0.0722 * b)
        #expect(abs(Double(drawn.planes[0][25 * 66 + 33]) - luma) <= 2)
    }
}

extension LayerTransform {
    /// About the middle of the picture.
    static func constant(x: Double, y: Double, scale: Double = 1, rotation: Double = 0) -> LayerTransform {
        LayerTransform(
            position: .init(x: .constant(x), y: .constant(y)), anchor: .init(x: .constant(0.5), y: .constant(0.5)),
            scale: .init(x: .constant(scale), y: .constant(scale)), rotation: .constant(rotation))
    }
}
