import Compositor
import ExactTime
import ExportPlan
import Media
import SampleMedia
import TestSupport
import Testing
import Vocabulary

/// Stacks of layers: solid colours, untouched pictures, opacity, placement, and the independence of frames.
@Suite struct LayerTests {
    private static let size = FrameSize(width: 66, height: 50)

    @Test(
        "A solid colour has its BT.709 code everywhere",
        arguments: [
            RGBAColor(red: 0, green: 0, blue: 0, alpha: 255), RGBAColor(red: 255, green: 255, blue: 255, alpha: 255),
            RGBAColor(red: 255, green: 0, blue: 0, alpha: 255), RGBAColor(red: 0, green: 0, blue: 255, alpha: 255),
            RGBAColor(red: 17, green: 200, blue: 99, alpha: 255),
        ])
    func solid(_ color: RGBAColor) throws {
        let picture = try composed([.solid(color)], canvas: LayerTests.size, [:])[0]
        #expect(picture == flatPicture(color, LayerTests.size))
    }

    @Test("A picture that fills the canvas at its own size is unchanged, bit for bit")
    func untouched() async throws {
        let directory = try TemporaryDirectory()
        let pictures = (0..<3).map { PlanarPicture.noise(LayerTests.size, seed: 30 + $0) }
        let source = try await TestSource(pictures, in: directory)
        let layer = Layer(content: source.playing, placement: .whole(into: PixelRect(LayerTests.size)))
        #expect(try composed([layer], canvas: LayerTests.size, source.sources, frames: [0, 1, 2]) == pictures)
        let covered = try composed([.solid(.black), layer], canvas: LayerTests.size, source.sources, frames: [0, 1, 2])
        #expect(covered == pictures)
    }

    @Test("A picture at its own size lies exactly in its rectangle of a larger canvas, on the background")
    func placed() async throws {
        let directory = try TemporaryDirectory()
        let picture = PlanarPicture.noise(LayerTests.size, seed: 33)
        let source = try await TestSource([picture], in: directory)
        let canvas = FrameSize(width: 100, height: 80)
        let color = RGBAColor(red: 40, green: 90, blue: 160, alpha: 255)
        let rect = PixelRect(x: 14, y: 22, width: 66, height: 50)
        let layers = [Layer.solid(color), Layer(content: source.playing, placement: .whole(into: rect))]
        var wanted = flatPicture(color, canvas)
        wanted.draw(picture, at: rect) { Double($1) }
        #expect(try composed(layers, canvas: canvas, source.sources)[0] == wanted)
    }

    @Test(
        "Opacity mixes gamma-encoded values with those below, within one code value",
        arguments: [
            0, 0.01, 0.3, 0.5, 0.77, 0.999, 1,
        ])
    func opacity(_ opacity: Double) async throws {
        let directory = try TemporaryDirectory()
        let picture = PlanarPicture.noise(LayerTests.size, seed: 34)
        let source = try await TestSource([picture], in: directory)
        let color = RGBAColor(red: 220, green: 40, blue: 90, alpha: 255)
        let rect = PixelRect(x: 2, y: 4, width: 66, height: 50)
        let canvas = FrameSize(width: 80, height: 60)
        let layers = [
            Layer.solid(color), Layer(content: source.playing, placement: .whole(into: rect), opacity: .constant(opacity)),
        ]
        var wanted = flatPicture(color, canvas)
        wanted.draw(picture, at: rect) { Double($0) * (1 - opacity) + Double($1) * opacity }
        #expect(try composed(layers, canvas: canvas, source.sources)[0].largestDifference(from: wanted) <= 1)
    }

    @Test(
        "Animated opacity follows the timing function at every frame, and overshoot is limited to 0...1",
        arguments: ["linear", "quadIn", "backOut", "elasticInOut", "cubicBezier(0.2,0,0.3,1)", "hold"])
    func movingOpacity(name: String) async throws {
        let easing = try #require(TimingFunction(name))
        let directory = try TemporaryDirectory()
        let picture = PlanarPicture.noise(LayerTests.size, seed: 35)
        let source = try await TestSource([picture], in: directory)
        let keys = [
            AnimatedValue.Key(time: MediaTime(Rational(1, 25)), value: 0, easing: easing),
            .init(time: MediaTime(Rational(7, 25)), value: 1),
        ]
        let layer = Layer(
            content: .still(source: source.hash), placement: .whole(into: PixelRect(LayerTests.size)),
            opacity: AnimatedValue(keys: keys))
        let frames = try composed(
            [.solid(.black), layer], canvas: LayerTests.size, source.sources, frames: Array(0..<10))
        for (index, frame) in frames.enumerated() {
            let opacity = min(1, max(0, easing.value(at: Double(index - 1) / 6)))
            var wanted = flatPicture(.black, LayerTests.size)
            wanted.draw(picture, at: PixelRect(LayerTests.size)) { Double($0) * (1 - opacity) + Double($1) * opacity }
            #expect(frame.largestDifference(from: wanted) <= 1, "frame \(index)")
        }
    }

    @Test(
        "A frame drawn alone equals the frame in a sequence, in any order, forwards and backwards",
        arguments: [
            Rational(1), Rational(-1), Rational(3, 2), Rational(-1, 2),
        ])
    func randomAccess(_ rate: Rational) throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("numbers.mp4")
        try SampleClip(
            picture: NumberedPicture(blue: 100, red: 150), tone: nil, size: FrameSize(width: 160, height: 96),
            frameRate: FrameRate(30), frameCount: 60, keyframeInterval: 20
        ).write(to: path)
        let source = try TestSource(path)
        let start = rate > .zero ? MediaTime.zero : MediaTime(seconds: 2)
        let timing = SourceTiming(timelineStart: .zero, sourceStart: start, rate: rate)
        let canvas = FrameSize(width: 120, height: 80)
        let clip = Layer(
            content: .video(source: source.hash, timing: timing),
            placement: .whole(into: PixelRect(x: 10, y: 4, width: 100, height: 60)))
        let background = Layer(content: .blurred(layer: clip, deviation: 5))
        let transition = Layer(
            content: .transition(
                Transition(
                    kind: .slideLeft, timeRange: TimeRange(start: .zero, duration: MediaTime(seconds: 1)),
                    from: [background, clip], to: [.solid(.black)])))
        for layers in [[background, clip], [transition]] {
            let sequence = try composed(layers, canvas: canvas, source.sources, frames: Array(0..<25))
            var random = RandomNumbers(seed: 3)
            for index in (0..<25).shuffled(using: &random).prefix(8) {
                #expect(try composed(layers, canvas: canvas, source.sources, frames: [index])[0] == sequence[index])
            }
            #expect(Set(sequence.map(\.bytes)).count > 10)
        }
    }
}

extension PlanarPicture {
    /// Draws another picture into a rectangle. `mix` receives the value below and the new value.
    mutating func draw(_ picture: PlanarPicture, at rect: PixelRect, _ mix: (UInt8, UInt8) -> Double) {
        for plane in 0..<3 {
            let step = plane == 0 ? 1 : 2
            for y in 0..<picture.height(plane) {
                for x in 0..<picture.width(plane) {
                    let place = (rect.y / step + y) * width(plane) + rect.x / step + x
                    let value = mix(planes[plane][place], picture.planes[plane][y * picture.width(plane) + x])
                    planes[plane][place] = UInt8(value.rounded())
                }
            }
        }
    }
}
