import Compositor
import ExactTime
import ExportPlan
import Media
import Testing
import Vocabulary

/// Films that keep their transparency, checked against the formulas of source-over and of mixing premultiplied colours.
@Suite struct TransparentFilmTests {
    private static let size = FrameSize(width: 16, height: 12)
    private static let halfRed = RGBAColor(red: 230, green: 40, blue: 30, alpha: 128)
    private static let faintBlue = RGBAColor(red: 20, green: 60, blue: 220, alpha: 64)

    /// The pixels of frames as red, green, blue, alpha.
    private func drawn(_ layers: [Layer], frames: [Int] = [0], format: VideoFrame.Format = .rgba) throws -> [[SIMD4<Double>]] {
        let range = TimeRange(start: .zero, duration: MediaTime(seconds: 60))
        let compositor = try Compositor(
            Instruction(timeRange: range, layers: layers), canvas: TransparentFilmTests.size, frameRate: FrameRate(10),
            sources: [:], transparentFormat: format)
        return try frames.map { frame in
            let plane = try compositor.picture(atFrame: frame).plane(0)
            return (0..<plane.height).flatMap { y in
                (0..<plane.width).map { x in
                    let pixel = plane.row(y) + 4 * x
                    return SIMD4(Double(pixel[0]), Double(pixel[1]), Double(pixel[2]), Double(pixel[3]))
                }
            }
        }
    }

    private func vector(_ color: RGBAColor) -> SIMD4<Double> {
        SIMD4(Double(color.red), Double(color.green), Double(color.blue), Double(color.alpha))
    }

    /// The mix of colours with the given weights, each weighted by its alpha too.
    private func mix(_ parts: [(RGBAColor, Double)]) -> SIMD4<Double> {
        var (sum, alpha) = (SIMD4<Double>(), 0.0)
        for (color, weight) in parts {
            sum += vector(color) * (Double(color.alpha) * weight)
            alpha += Double(color.alpha) * weight
        }
        guard alpha > 0 else { return SIMD4(0, 0, 0, 0) }
        var result = sum / alpha
        result.w = alpha
        return result
    }

    private func expectNear(_ found: [SIMD4<Double>], _ wanted: SIMD4<Double>, _ words: String) {
        // Alpha is exact to one step. Colours are premultiplied YCbCr in 8 bits, one step of which is two of blue (BT.709:
        // 2.11), and lose precision as their alpha falls.
        let limit = wanted.w > 0 ? 1 + 2.5 * 255 / wanted.w : 0
        for pixel in found {
            let difference = pixel - wanted
            let isNear =
                abs(difference.w) <= 1.2
                && (wanted.w == 0 || max(abs(difference.x), max(abs(difference.y), abs(difference.z))) <= limit + 1)
            #expect(isNear, "\(words): \(pixel) instead of \(wanted)")
            guard isNear else { return }
        }
    }

    @Test("Without layers a film is transparent, and a translucent layer keeps its alpha and its colour")
    func emptyAndTranslucent() throws {
        #expect(try drawn([])[0].allSatisfy { $0.w == 0 })
        expectNear(
            try drawn([.solid(TransparentFilmTests.halfRed)])[0], vector(TransparentFilmTests.halfRed), "a solid")
        let opaque = RGBAColor(red: 10, green: 200, blue: 90, alpha: 255)
        expectNear(try drawn([.solid(opaque)])[0], vector(opaque), "an opaque solid")
    }

    @Test("A layer over another is composed as source over backdrop")
    func sourceOver() throws {
        let (below, above) = (TransparentFilmTests.faintBlue, TransparentFilmTests.halfRed)
        let rest = 1 - Double(above.alpha) / 255
        expectNear(try drawn([.solid(below), .solid(above)])[0], mix([(above, 1), (below, rest)]), "two solids")
    }

    @Test("A dissolve mixes alpha and premultiplied colours")
    func dissolve() throws {
        let (from, to) = (TransparentFilmTests.halfRed, TransparentFilmTests.faintBlue)
        let range = TimeRange(start: .zero, duration: MediaTime(seconds: 1))
        let pairs = [(from, to), (from, RGBAColor(red: 0, green: 0, blue: 0, alpha: 0))]
        for (first, second) in pairs {
            let layer = Layer(
                content: .transition(
                    Transition(
                        kind: .dissolve, timeRange: range, from: [.solid(first)],
                        to: second.alpha == 0 ? [] : [.solid(second)])))
            for (frame, pixels) in try drawn([layer], frames: Array(0..<10)).enumerated() {
                let progress = Double(frame) / 10
                expectNear(pixels, mix([(first, 1 - progress), (second, progress)]), "frame \(frame)")
            }
        }
    }

    @Test("A wipe shows one picture or the other, and a fade through black is opaque black in its middle")
    func wipeAndFade() throws {
        let range = TimeRange(start: .zero, duration: MediaTime(seconds: 1))
        func pixels(_ kind: TransitionKind) throws -> [SIMD4<Double>] {
            let transition = Transition(
                kind: kind, timeRange: range, from: [.solid(TransparentFilmTests.halfRed)], to: [])
            return try drawn([Layer(content: .transition(transition))], frames: [5])[0]
        }
        let wiped = try pixels(.wipeLeft)
        let shown = wiped.filter { $0.w > 0 }
        #expect(shown.count == wiped.count / 2)
        expectNear(shown, vector(TransparentFilmTests.halfRed), "the part that is not wiped yet")
        expectNear(try pixels(.fade), SIMD4(0, 0, 0, 255), "black")
    }

    @Test("The same pictures come as planes of 8 and of 10 bits")
    func planes() throws {
        let color = TransparentFilmTests.halfRed
        let range = TimeRange(start: .zero, duration: MediaTime(seconds: 1))
        func frame(_ format: VideoFrame.Format) throws -> VideoFrame {
            try Compositor(
                Instruction(timeRange: range, layers: [.solid(color)]), canvas: TransparentFilmTests.size,
                frameRate: FrameRate(10), sources: [:], transparentFormat: format
            ).picture(atFrame: 0)
        }
        let (eight, ten) = (try frame(.yuva420), try frame(.yuva444p10))
        #expect(eight.plane(3).row(11)[15] == 128 && ten.highDepthPlane(3).row(11)[15] == 514)
        for index in 0..<3 {
            #expect(UInt16(eight.plane(index).row(3)[3]) << 2 == ten.highDepthPlane(index).row(11)[15])
        }
    }
}
