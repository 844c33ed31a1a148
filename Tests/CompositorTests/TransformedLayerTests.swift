import Compositor
import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing
import Vocabulary

/// Transformed layers: moved, scaled, rotated, grouped, adjusted.
@Suite struct TransformedLayerTests {
    private static let size = FrameSize(width: 66, height: 50)
    private static let canvas = FrameSize(width: 120, height: 90)
    private static let blue = RGBAColor(red: 40, green: 90, blue: 160, alpha: 255)

    private func still(_ hash: String, _ transform: LayerTransform?, operations: [ExportPlan.Operation]? = nil) -> Layer {
        Layer(
            content: .still(source: hash), placement: .whole(into: PixelRect(TransformedLayerTests.size)), transform: transform,
            operations: operations)
    }

    @Test("A picture at whole pixels and its own size is exact, bit for bit")
    func exact() async throws {
        let directory = try TemporaryDirectory()
        let picture = PlanarPicture.noise(TransformedLayerTests.size, seed: 40)
        let source = try await TestSource([picture], in: directory)
        let free = still(source.hash, .constant(x: 14 + 33, y: 22 + 25))
        let drawn = try composed(
            [.solid(TransformedLayerTests.blue), free], canvas: TransformedLayerTests.canvas, source.sources)[0]
        var wanted = flatPicture(TransformedLayerTests.blue, TransformedLayerTests.canvas)
        wanted.draw(picture, at: PixelRect(x: 14, y: 22, width: 66, height: 50)) { Double($1) }
        #expect(drawn == wanted)
    }

    @Test("Scaled luma and its coverage follow the triangle filter at any position", arguments: [0.37, 0.8, 1.0, 1.7])
    func scaled(_ scale: Double) async throws {
        let directory = try TemporaryDirectory()
        let picture = PlanarPicture.noise(TransformedLayerTests.size, seed: 41)
        let source = try await TestSource([picture], in: directory)
        let (x, y) = (60.3, 44.6)
        let free = still(source.hash, .constant(x: x, y: y, scale: scale))
        let black = RGBAColor.black
        let drawn = try composed([.solid(black), free], canvas: TransformedLayerTests.canvas, source.sources)[0]
        let (width, height) = (66.0, 50.0)
        var worst = 0.0
        for row in 0..<TransformedLayerTests.canvas.height {
            for column in 0..<TransformedLayerTests.canvas.width {
                let across = taps(column, scale, x - width / 2 * scale, 66)
                let down = taps(row, scale, y - height / 2 * scale, 50)
                let covered = overlap(column, scale, x, width) * overlap(row, scale, y, height)
                var value = 0.0
                for (sampleY, weightY) in down {
                    for (sampleX, weightX) in across {
                        value += weightX * weightY * Double(picture.planes[0][sampleY * 66 + sampleX])
                    }
                }
                let wanted = value * covered + (1 - covered) * 16
                worst = max(worst, abs(Double(drawn.planes[0][row * TransformedLayerTests.canvas.width + column]) - wanted))
            }
        }
        #expect(worst <= 1.5, "alpha and colour are rounded one after the other")
    }

    /// The original samples that make up one sample of a scaled axis, with weights that add up to 1.
    private func taps(_ index: Int, _ scale: Double, _ offset: Double, _ length: Int) -> [(Int, Double)] {
        let center = (Double(index) + 0.5 - offset) / scale - 0.5
        let radius = max(1, 1 / scale)
        let all = (Int(center - radius) - 2...Int(center + radius) + 2).map {
            ($0, max(0, 1 - abs(Double($0) - center) / radius))
        }.filter { $0.0 >= 0 && $0.0 < length && $0.1 > 0 }
        let sum = all.reduce(0) { $0 + $1.1 }
        return all.map { ($0.0, $0.1 / sum) }
    }

    /// The part of a pixel that lies on a scaled axis.
    private func overlap(_ index: Int, _ scale: Double, _ middle: Double, _ length: Double) -> Double {
        let (low, high) = (middle - length / 2 * scale, middle + length / 2 * scale)
        return max(0, min(high, Double(index) + 1) - max(low, Double(index)))
    }

    @Test(
        "A picture scaled to fill the frame covers all of it, upright and rotated",
        arguments: [0.5, 2, 5], [0.0, 90, 180])
    func filled(_ scale: Double, _ rotation: Double) async throws {
        let white = RGBAColor(red: 255, green: 255, blue: 255, alpha: 255)
        let side = Int(120 / scale)
        let canvas = FrameSize(width: 120, height: 120)
        let flat = Layer(
            content: .group(layers: [.solid(white)], size: FrameSize(width: side, height: side)),
            transform: .constant(x: 60, y: 60, scale: scale, rotation: rotation))
        #expect(try composed([.solid(.black), flat], canvas: canvas, [:])[0] == flatPicture(white, canvas))
    }

    @Test("An edge between two pixels is one pixel soft, however much the picture is enlarged", arguments: [1.0, 3, 8])
    func edges(_ scale: Double) throws {
        let white = RGBAColor(red: 255, green: 255, blue: 255, alpha: 255)
        let flat = Layer(
            content: .group(layers: [.solid(white)], size: FrameSize(width: 10, height: 10)),
            transform: .constant(x: 60.5, y: 45, scale: scale, rotation: 0))
        let drawn = try composed([.solid(.black), flat], canvas: TransformedLayerTests.canvas, [:])[0]
        let soft = drawn.planes[0][(45 * 120)..<(46 * 120)].filter { $0 > 20 && $0 < 230 }
        #expect(soft.count == 2)
        #expect(soft.allSatisfy { abs(Int($0) - 126) <= 1 })
    }

    @Test("A picture that is shrunk and rotated by 90 degrees is the shrunk picture, rotated")
    func shrunkQuarter() async throws {
        let directory = try TemporaryDirectory()
        let size = FrameSize(width: 40, height: 40)
        let picture = PlanarPicture.noise(size, seed: 45)
        let source = try await TestSource([picture], in: directory)
        func drawn(_ degrees: Double) throws -> PlanarPicture {
            let layer = Layer(
                content: .still(source: source.hash), placement: .whole(into: PixelRect(size)),
                transform: .constant(x: 20, y: 20, scale: 0.73, rotation: degrees))
            return try composed([.solid(.black), layer], canvas: size, source.sources)[0]
        }
        let (upright, quarter) = (try drawn(0), try drawn(90))
        for plane in 0..<3 {
            let side = upright.width(plane)
            for y in 0..<side {
                for x in 0..<side {
                    let (found, wanted) = (
                        quarter.planes[plane][y * side + x], upright.planes[plane][(side - 1 - x) * side + y]
                    )
                    guard abs(Int(found) - Int(wanted)) > 1 else { continue }
                    Issue.record("plane \(plane) (\(x), \(y)) is \(found), not \(wanted)")
                    return
                }
            }
        }
    }

    @Test("An adjustment layer whose operations change nothing still blends the picture with itself")
    func blendedWithItself() throws {
        let gray = RGBAColor(red: 128, green: 128, blue: 128, alpha: 255)
        for amount in [1, 1.0001] {
            let operations = [ExportPlan.Operation(name: "contrast", parameters: ["amount": .constant(amount)])]
            let adjustment = Layer(content: .adjustment, operations: operations, blendMode: .multiply)
            let drawn = try composed([.solid(gray), adjustment], canvas: TransformedLayerTests.size, [:])[0]
            let dark = RGBAColor(red: 64, green: 64, blue: 64, alpha: 255)
            #expect(drawn.largestDifference(from: flatPicture(dark, TransformedLayerTests.size)) <= 1)
        }
    }

    @Test("A rotation by 90 degrees moves the samples, and four of them restore the picture")
    func quarterTurns() async throws {
        let directory = try TemporaryDirectory()
        let size = FrameSize(width: 40, height: 40)
        let picture = PlanarPicture.noise(size, seed: 42)
        let source = try await TestSource([picture], in: directory)
        func rotated(_ degrees: Double) throws -> PlanarPicture {
            let layer = Layer(
                content: .still(source: source.hash), placement: .whole(into: PixelRect(size)),
                transform: .constant(x: 20, y: 20, rotation: degrees))
            return try composed([.solid(.black), layer], canvas: size, source.sources)[0]
        }
        let quarter = try rotated(90)
        for y in 0..<40 {
            for x in 0..<40 where quarter.planes[0][y * 40 + x] != picture.planes[0][(39 - x) * 40 + y] {
                Issue.record("(\(x), \(y)) is not what was at (\(y), \(39 - x))")
                return
            }
        }
        #expect(try rotated(360) == picture)
        #expect(try rotated(180).planes[0] == picture.planes[0].reversed())
    }

    @Test("A rotated flat picture has no fringe on a background of its own colour")
    func noFringe() throws {
        let white = RGBAColor(red: 255, green: 255, blue: 255, alpha: 255)
        let flat = Layer(
            content: .group(layers: [.solid(white)], size: FrameSize(width: 40, height: 30)),
            transform: .constant(x: 60, y: 45, rotation: 33))
        let drawn = try composed([.solid(white), flat], canvas: TransformedLayerTests.canvas, [:])[0]
        #expect(drawn == flatPicture(white, TransformedLayerTests.canvas))
    }

    @Test("A group of the canvas's size with one layer equals that layer alone, bit for bit")
    func group() async throws {
        let directory = try TemporaryDirectory()
        let source = try await TestSource([PlanarPicture.noise(TransformedLayerTests.size, seed: 43)], in: directory)
        for rotation in [0.0, 25] {
            let layer = still(source.hash, .constant(x: 50.5, y: 40.25, scale: 0.9, rotation: rotation))
            let grouped = Layer(
                content: .group(layers: [layer], size: TransformedLayerTests.canvas), transform: .constant(x: 60, y: 45))
            let background = Layer.solid(TransformedLayerTests.blue)
            let alone = try composed([background, layer], canvas: TransformedLayerTests.canvas, source.sources)[0]
            #expect(try composed([background, grouped], canvas: TransformedLayerTests.canvas, source.sources)[0] == alone)
        }
    }

    @Test("An adjustment layer over the whole frame equals the operation on the picture below")
    func adjustment() async throws {
        let directory = try TemporaryDirectory()
        let source = try await TestSource([PlanarPicture.noise(TransformedLayerTests.size, seed: 44)], in: directory)
        let operations = [ExportPlan.Operation(name: "contrast", parameters: ["amount": .constant(1.4)])]
        let plain = Layer(content: .still(source: source.hash), placement: .whole(into: PixelRect(TransformedLayerTests.size)))
        var changed = plain
        changed.operations = operations
        let adjusted = try composed(
            [plain, Layer(content: .adjustment, operations: operations)], canvas: TransformedLayerTests.size, source.sources)
        #expect(try adjusted == composed([changed], canvas: TransformedLayerTests.size, source.sources))
    }

    @Test("A layer shows only in its time range, and a frame drawn alone equals the frame in a sequence")
    func visibility() throws {
        var flat = Layer.solid(RGBAColor(red: 255, green: 255, blue: 255, alpha: 255))
        flat.timeRange = TimeRange(start: MediaTime(Rational(2, 25)), duration: MediaTime(Rational(2, 25)))
        let layers = [Layer.solid(.black), flat]
        let frames = try composed(layers, canvas: TransformedLayerTests.size, [:], frames: [0, 1, 2, 3, 4, 5])
        #expect(frames.map { $0.planes[0][0] } == [16, 16, 235, 235, 16, 16])
        #expect(try composed(layers, canvas: TransformedLayerTests.size, [:], frames: [3])[0] == frames[3])
    }

    @Test("Blended colours equal the W3C formula within two code values of luma", arguments: BlendMode.allCases)
    func blending(_ mode: BlendMode) throws {
        let (below, above) = (
            RGBAColor(red: 200, green: 60, blue: 90, alpha: 255), RGBAColor(red: 70, green: 180, blue: 30, alpha: 255)
        )
        let layer = Layer(
            content: .group(layers: [.solid(above)], size: TransformedLayerTests.size), transform: .constant(x: 33, y: 25),
            opacity: .constant(0.6), blendMode: mode)
        let drawn = try composed([.solid(below), layer], canvas: TransformedLayerTests.size, [:])[0]
        let formula = BlendFormula(mode)
        func color(_ color: RGBAColor) -> SIMD3<Float> {
            SIMD3(Float(color.red), Float(color.green), Float(color.blue)) / 255
        }
        let mixed = 0.4 * color(below) + 0.6 * formula.mix(color(below), color(above))
        let (r, g, b) = (Double(mixed.x), Double(mixed.y), Double(mixed.z))
        let luma = 16 + 219 * (0.2126 * r + 0.7152 * g + 0.0722 * b)
        #expect(abs(Double(drawn.planes[0][25 * 66 + 33]) - luma) <= 2)
    }
}

extension LayerTransform {
    /// A transform about the middle of the picture.
    static func constant(x: Double, y: Double, scale: Double = 1, rotation: Double = 0) -> LayerTransform {
        LayerTransform(
            position: .init(x: .constant(x), y: .constant(y)), anchor: .init(x: .constant(0.5), y: .constant(0.5)),
            scale: .init(x: .constant(scale), y: .constant(scale)), rotation: .constant(rotation))
    }
}
