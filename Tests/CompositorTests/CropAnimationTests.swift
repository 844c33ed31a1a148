import ExactTime
import ExportPlan
import TestSupport
import Testing
import Vocabulary

/// Animated crops compared with arithmetic. The samples of the source picture encode their own coordinates, so every
/// canvas pixel shows where it comes from.
@Suite struct CropAnimationTests {
    private static let size = FrameSize(width: 160, height: 120)
    private static let canvas = FrameSize(width: 80, height: 60)
    /// The time of frame 10.
    private static let end = MediaTime(Rational(10, 25))
    /// A colour that differs strongly from every colour in the picture.
    private static let background = RGBAColor(red: 255, green: 255, blue: 255, alpha: 255)

    /// Luma is 16 + x, the first chroma plane 40 + y and the second 60 + x, each in its own samples.
    private static let gradient: PlanarPicture = {
        var picture = PlanarPicture(size: size, y: 0, u: 0, v: 0)
        for plane in 0..<3 {
            let width = picture.width(plane)
            for index in picture.planes[plane].indices {
                let (x, y) = (index % width, index / width)
                picture.planes[plane][index] = UInt8([16 + x, 40 + y, 60 + x][plane])
            }
        }
        return picture
    }()

    private func moving(_ from: Double, _ to: Double, _ easing: TimingFunction = .linear) -> AnimatedValue {
        AnimatedValue(keys: [
            .init(time: .zero, value: from, easing: easing), .init(time: CropAnimationTests.end, value: to),
        ])
    }

    private func layer(
        _ source: TestSource, _ crop: LayerCrop, scale: Double = 1, rotation: Double = 0, size: FrameSize = size
    ) -> Layer {
        Layer(
            content: .still(source: source.hash), placement: .whole(into: PixelRect(size)),
            transform: .constant(x: 40, y: 30, scale: scale, rotation: rotation), crop: crop)
    }

    private func frames(_ layer: Layer, _ source: TestSource, _ numbers: [Int]) throws -> [PlanarPicture] {
        try composed(
            [.solid(CropAnimationTests.background), layer], canvas: CropAnimationTests.canvas, source.sources, frames: numbers)
    }

    /// The greatest difference from the values that the crop implies, over all planes.
    private func difference(_ picture: PlanarPicture, from area: LayerCrop.Area) -> Double {
        var worst = 0.0
        for plane in 0..<3 {
            let step = plane == 0 ? 1.0 : 2
            let (width, height) = (picture.width(plane), picture.height(plane))
            for index in picture.planes[plane].indices {
                let (column, row) = (Double(index % width) + 0.5, Double(index / width) + 0.5)
                let x = (area.x + column / Double(width) * area.width) / step - 0.5
                let y = (area.y + row / Double(height) * area.height) / step - 0.5
                let wanted = [16 + x, 40 + y, 60 + x][plane]
                worst = max(worst, abs(Double(picture.planes[plane][index]) - wanted))
            }
        }
        return worst
    }

    @Test(
        "Every pixel of an animated crop comes from its computed place within one code value, edges included",
        arguments: [ScalingMode.aspectFit, .aspectFill, .fill])
    func arithmetic(_ mode: ScalingMode) async throws {
        let directory = try TemporaryDirectory()
        let source = try await TestSource([CropAnimationTests.gradient], in: directory)
        let crop = LayerCrop(
            x: moving(0, 71.3), y: moving(0, 40.9), width: moving(160, 50), height: moving(120, 37.5),
            fit: .init(width: 80, height: 60, mode: mode))
        let drawn = try frames(layer(source, crop), source, Array(0...10))
        for (frame, picture) in drawn.enumerated() {
            let part = Double(frame) / 10
            let area = LayerCrop.Area(x: 71.3 * part, y: 40.9 * part, width: 160 - 110 * part, height: 120 - 82.5 * part)
            #expect(difference(picture, from: area) <= 1, "frame \(frame)")
        }
    }

    @Test("A crop that overshoots stays in the picture and covers the frame", arguments: ["backInOut", "elasticOut"])
    func overshooting(_ name: String) async throws {
        let easing = try #require(TimingFunction(name))
        let directory = try TemporaryDirectory()
        let source = try await TestSource([CropAnimationTests.gradient], in: directory)
        let crop = LayerCrop(
            x: moving(0, 80, easing), y: moving(60, 0, easing), width: .constant(80), height: .constant(60),
            fit: .init(width: 80, height: 60, mode: .aspectFill))
        for (frame, picture) in try frames(layer(source, crop), source, Array(0...10)).enumerated() {
            let method = easing.value(at: Double(frame) / 10)
            let area = LayerCrop.Area(
                x: min(max(80 * method, 0), 80), y: min(max(60 - 60 * method, 0), 60), width: 80, height: 60)
            #expect(difference(picture, from: area) <= 1, "frame \(frame)")
        }
    }

    @Test("Nothing outside of the crop shows, and pixels inside come from their places, rotated and scaled")
    func rotated() async throws {
        let directory = try TemporaryDirectory()
        let source = try await TestSource([CropAnimationTests.gradient], in: directory)
        let area = LayerCrop.Area(x: 60.3, y: 41.7, width: 40.5, height: 22.25)
        let crop = LayerCrop(
            x: .constant(area.x), y: .constant(area.y), width: .constant(area.width), height: .constant(area.height))
        for (scale, degrees) in [(1.4, 0.0), (1.4, 30), (0.6, 0), (0.6, 200), (1, 90), (2, 270)] {
            let picture = try frames(layer(source, crop, scale: scale, rotation: degrees), source, [0])[0]
            let wrong = misplaced(picture, area) { x, y in
                let (c, s) = (cosine(degrees), cosine(degrees - 90))
                let (dx, dy) = ((x - 40) / scale, (y - 30) / scale)
                return (c * dx + s * dy + area.width / 2, c * dy - s * dx + area.height / 2)
            }
            #expect(wrong == nil, "\(wrong ?? "") at scale \(scale), \(degrees) degrees")
        }
    }

    @Test("A crop in perspective fills its corners and nothing else")
    func perspective() async throws {
        let directory = try TemporaryDirectory()
        let source = try await TestSource([CropAnimationTests.gradient], in: directory)
        let area = LayerCrop.Area(x: 60.3, y: 41.7, width: 40.5, height: 22.25)
        let crop = LayerCrop(
            x: .constant(area.x), y: .constant(area.y), width: .constant(area.width), height: .constant(area.height))
        var hung = layer(source, crop)
        func corner(_ x: Double, _ y: Double) -> LayerTransform.Pair { .init(x: .constant(x), y: .constant(y)) }
        // The corners form a parallelogram, so that the expected places are easy to compute.
        hung.transform?.corners = .init(
            topLeft: corner(10, 5), topRight: corner(60, 15), bottomRight: corner(70, 55), bottomLeft: corner(20, 45))
        let picture = try frames(hung, source, [0])[0]
        let wrong = misplaced(picture, area) { x, y in
            // (10, 5) + u (50, 10) + v (10, 40)
            let (dx, dy) = (x - 10, y - 5)
            return ((40 * dx - 10 * dy) / 1900 * area.width, (50 * dy - 10 * dx) / 1900 * area.height)
        }
        #expect(wrong == nil, "\(wrong ?? "")")
    }

    /// A luma sample that differs from the value of its place in the crop. Samples next to an edge are ignored.
    /// - Parameter place: maps a canvas place to a place in the crop, in the crop's pixels.
    private func misplaced(
        _ picture: PlanarPicture, _ area: LayerCrop.Area, _ place: (Double, Double) -> (x: Double, y: Double)
    ) -> String? {
        for row in 0..<60 {
            for column in 0..<80 {
                let found = place(Double(column) + 0.5, Double(row) + 0.5)
                let inside = min(min(found.x, area.width - found.x), min(found.y, area.height - found.y))
                guard abs(inside) > 2 else { continue }
                let wanted = inside > 0 ? 16 + area.x + found.x - 0.5 : 235
                let value = Double(picture.planes[0][row * 80 + column])
                if abs(value - wanted) > 1 { return "(\(column), \(row)) is \(value), not \(wanted)" }
            }
        }
        return nil
    }

    /// The cosine of an angle in degrees, by its Taylor series.
    private func cosine(_ degrees: Double) -> Double {
        let angle = degrees.remainder(dividingBy: 360) * .pi / 180
        var (sum, term) = (1.0, 1.0)
        for index in 1...20 {
            term *= -angle * angle / Double((2 * index - 1) * (2 * index))
            sum += term
        }
        return sum
    }

    @Test("A still crop equals the cropped picture within one code value", arguments: [0.75, 1, 1.6], [0.0, 20])
    func still(_ scale: Double, _ rotation: Double) async throws {
        let directory = try TemporaryDirectory()
        let source = try await TestSource([PlanarPicture.noise(CropAnimationTests.size, seed: 70)], in: directory)
        let crop = LayerCrop(x: .constant(40), y: .constant(24), width: .constant(64), height: .constant(48))
        var plain = layer(source, crop, scale: scale, rotation: rotation)
        let moved = try frames(plain, source, [0])[0]
        plain.crop = nil
        plain.placement?.region = Region(
            x: Rational(1, 4), y: Rational(1, 5), width: Rational(2, 5), height: Rational(2, 5))
        #expect(try frames(plain, source, [0])[0].largestDifference(from: moved) <= 1)
    }

    @Test("A slow pan moves by fractions of a pixel, so no frame changes by more than its step allows")
    func smooth() async throws {
        let directory = try TemporaryDirectory()
        let source = try await TestSource([PlanarPicture.noise(CropAnimationTests.size, seed: 71)], in: directory)
        // A fiftieth of a source pixel per frame.
        let crop = LayerCrop(
            x: moving(20, 20.2), y: moving(10, 10.2), width: .constant(80), height: .constant(60),
            fit: .init(width: 80, height: 60, mode: .aspectFill))
        let drawn = try frames(layer(source, crop), source, Array(0...10))
        for (before, after) in zip(drawn, drawn.dropFirst()) {
            // The bound allows for two axes, the whole range of codes, and rounding.
            #expect(after.largestDifference(from: before) <= 2 * 225 / 50 + 1)
            #expect(after != before)
        }
    }

    @Test("A frame drawn alone equals the frame in a sequence, also across a cut between segments")
    func anywhere() async throws {
        let directory = try TemporaryDirectory()
        let source = try await TestSource([PlanarPicture.noise(CropAnimationTests.size, seed: 72)], in: directory)
        let crop = LayerCrop(
            x: moving(0, 70, .easeInOut), y: moving(0, 33), width: moving(160, 60, .penner(.back, .out)), height: moving(120, 45),
            fit: .init(width: 80, height: 60, mode: .aspectFit))
        let moving = layer(source, crop)
        let all = try frames(moving, source, Array(0...12))
        #expect(try frames(moving, source, [7])[0] == all[7])
        let range = TimeRange(start: MediaTime(Rational(5, 25)), duration: MediaTime(Rational(4, 25)))
        let cut = try #require(moving.restricted(to: range)?.shifted(by: MediaTime(Rational(-5, 25))))
        #expect(try frames(cut, source, [0, 1, 2, 3]) == Array(all[5..<9]))
    }

    @Test("A blurred background follows the crop")
    func blurred() async throws {
        let directory = try TemporaryDirectory()
        let source = try await TestSource([CropAnimationTests.gradient], in: directory)
        let fit = LayerCrop.Fit(width: 80, height: 60, mode: .aspectFill)
        let crop = LayerCrop(x: moving(0, 80), y: moving(0, 60), width: .constant(80), height: .constant(60), fit: fit)
        let background = Layer(content: .blurred(layer: layer(source, crop), deviation: 8))
        let drawn = try frames(background, source, [0, 10])
        // Far from its edges a gradient stays the same when it is blurred.
        for (picture, x) in zip(drawn, [0.0, 80]) {
            let found = Double(picture.planes[0][30 * 80 + 40])
            #expect(abs(found - (16 + x + 40)) <= 2)
        }
    }
}
