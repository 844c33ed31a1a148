import Compositor
import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing
import Vocabulary
import FoundationEssentials
import Glibc

/// Transitions of layers, compared with what FFmpeg's xfade draws between a wholly transparent stream and a premultiplied
/// stream of the layer's picture, which is then laid over the background.
@Suite(.serialized) struct LayerTransitionTests {
    private static let size = FrameSize(width: 192, height: 108)
    /// The number of frames of a transition, from frame 0 on.
    private static let count = 16
    private static let steps = [0, 1, 4, 7, 8, 12, 15]
    /// The draft format defines its own fade through black. xfade's three kinds that go by differences judge every plane by
    /// itself, colours and coverage apart; here coverage decides for all.
    private static let kinds = TransitionKind.builtIn.filter {
        ![.fade, .lumaMap, .distance, .fadeFast, .fadeSlow].contains($0)
    }
    private static let below = RGBAColor(red: 40, green: 170, blue: 210, alpha: 255)

    @Test(
        "A layer appears and disappears as xfade joins it with a transparent stream, within 2 on 99.5 % of samples and 3 on all",
        arguments: LayerTransitionTests.kinds)
    func equalsXfade(_ kind: TransitionKind) async throws {
        let directory = try TemporaryDirectory()
        let layer = try SoftPicture(LayerTransitionTests.size, in: directory)
        for direction in [LayerTransition.Direction.entering, .leaving] {
            let expected = try await layer.xfade(kind, direction, count: Self.count, in: directory)
            let drawn = try composed(
                [.solid(Self.below), layer.layer(kind, direction, count: Self.count)], canvas: Self.size, layer.sources,
                frames: Array(0..<Self.count))
            let below = flatPicture(Self.below, Self.size)
            var (worst, lowest) = (0.0, 1.0)
            for step in Self.steps {
                let wanted = expected[step].over(below)
                var differing = 0
                var total = 0
                var lines: [Set<Int>] = []
                for plane in 0..<3 {
                    let width = below.width(plane)
                    let differences = zip(drawn[step].planes[plane], wanted[plane]).map { abs(Double($0) - $1) }
                    worst = max(worst, differences.max() ?? 0)
                    let places = differences.indices.filter { differences[$0] > 2 }
                    lines.append(Set(places.map { kind.isAcross ? $0 % width : $0 / width }))
                    differing += places.count
                    total += differences.count
                }
                // The specification puts the edges of wipes and slides up to a row or column away from xfade's.
                if kind.isStrip {
                    // Moves by parts of a pixel are rounded differently.
                    guard Self.size.height * step % Self.count == 0 else { continue }
                    #expect(lines.allSatisfy { $0.count <= 1 }, "\(kind) \(direction) at \(step)/\(Self.count): \(lines)")
                    continue
                }
                let share = 1 - Double(differing) / Double(total)
                lowest = min(lowest, share)
                // The witness rounds colours and coverage to bytes before it is laid over the background.
                #expect(
                    share >= 0.995 && worst <= 3, "\(kind) \(direction) at \(step)/\(Self.count): \(share), worst \(worst)")
            }
            print("xfade of a layer, \(kind) \(direction): worst difference \(worst), within 2 on at least \(lowest * 100) %")
        }
    }

    @Test("A layer's fade goes through an opaque black canvas")
    func fade() async throws {
        let directory = try TemporaryDirectory()
        let layer = try SoftPicture(Self.size, in: directory)
        let drawn = try composed(
            [.solid(Self.below), layer.layer(.fade, .entering, count: 8)], canvas: Self.size, layer.sources,
            frames: Array(0..<8))
        let below = flatPicture(Self.below, Self.size)
        #expect(drawn[0] == below)
        for (frame, share) in [(1, 0.75), (2, 0.5), (3, 0.25), (4, 0)] {
            for (plane, black) in [(0, 16.0), (1, 128), (2, 128)] {
                let wanted = black + (Double(below.planes[plane][0]) - black) * share
                #expect(drawn[frame].planes[plane].allSatisfy { abs(Double($0) - wanted) <= 1 }, "frame \(frame)")
            }
        }
        let whole = try composed([.solid(Self.below), layer.layer(nil)], canvas: Self.size, layer.sources)[0]
        for (plane, black) in [(0, 16.0), (1, 128), (2, 128)] {
            for (found, shown) in zip(drawn[6].planes[plane], whole.planes[plane]) {
                #expect(abs(Double(found) - (black + (Double(shown) - black) / 2)) <= 2)
            }
        }
    }

    @Test(
        "Transitions that go by differences go by the layer's coverage",
        arguments: [TransitionKind.fadeFast, .fadeSlow, .distance])
    func differences(_ kind: TransitionKind) throws {
        let shown = RGBAColor(red: 220, green: 60, blue: 30, alpha: 255)
        let range = TimeRange(start: .zero, duration: MediaTime(Rational(8, 25)))
        for cover in [1.0, 0.5] {
            let inner = Layer(content: .group(layers: [.solid(shown)], size: Self.size), opacity: .constant(cover))
            let layer = Layer(
                content: .group(layers: [inner], size: Self.size),
                transitions: [LayerTransition(kind: kind, direction: .entering, timeRange: range)])
            let drawn = try composed([.solid(Self.below), layer], canvas: Self.size, [:], frames: Array(0..<8))
            let (below, above) = (flatPicture(Self.below, Self.size), flatPicture(shown, Self.size))
            for step in 0..<8 {
                let p = Double(step) / 8
                let part =
                    switch kind {
                    case .fadeFast: 1 - pow(1 - p, 1 + log(1 + cover))
                    case .fadeSlow: 1 - pow(1 - p, 1 + log(2 - cover))
                    default: cover <= 1 - p ? p : 1
                    }
                // Half of 255 is no whole number, and 1 - p is exactly a half in the middle.
                if kind == .distance, cover == 0.5, step == 4 { continue }
                for plane in 0..<3 {
                    let (under, over) = (Double(below.planes[plane][0]), Double(above.planes[plane][0]))
                    let wanted = under + (over - under) * part * cover
                    #expect(drawn[step].planes[plane].allSatisfy { abs(Double($0) - wanted) <= 2 }, "\(cover) at \(step)/8")
                }
            }
        }
    }

    @Test("A map uncovers the layer where it is darker than the progress")
    func map() async throws {
        let directory = try TemporaryDirectory()
        let layer = try SoftPicture(Self.size, in: directory)
        var map = PlanarPicture(size: Self.size, y: 16, u: 128, v: 128)
        for place in map.planes[0].indices where place % Self.size.width >= 96 { map.planes[0][place] = 200 }
        let source = try await TestSource([map], in: directory)
        var shown = layer.layer(.lumaMap, .entering, count: 4)
        shown.transitions?[0].map = Transition.LumaMap(
            picture: [Layer(content: .still(source: source.hash), placement: .whole(into: PixelRect(Self.size)))],
            softness: 0, inverted: false)
        let sources = layer.sources.merging(source.sources) { first, _ in first }
        let drawn = try composed([.solid(Self.below), shown], canvas: Self.size, sources, frames: [0, 1, 2, 3, 4])
        let below = flatPicture(Self.below, Self.size)
        let whole = try composed([.solid(Self.below), layer.layer(nil)], canvas: Self.size, layer.sources)[0]
        #expect(drawn[0] == below)
        #expect(drawn[4] == whole)
        for frame in 1...3 {
            for place in drawn[frame].planes[0].indices {
                let wanted = place % Self.size.width < 96 ? whole : below
                #expect(drawn[frame].planes[0][place] == wanted.planes[0][place])
            }
        }
    }

    @Test("A transition that mixes in place looks the same at any opacity and by any blend mode as a layer masked by it")
    func blendModes() async throws {
        let directory = try TemporaryDirectory()
        let layer = try SoftPicture(Self.size, in: directory)
        for mode in [BlendMode.multiply, .difference, .luminosity] {
            var wiped = layer.layer(.wipeLeft, .entering, count: 4)
            wiped.blendMode = mode
            wiped.opacity = .constant(0.7)
            let whole = Layer(
                content: wiped.content, placement: wiped.placement, opacity: wiped.opacity, blendMode: mode)
            let drawn = try composed([.solid(Self.below), wiped], canvas: Self.size, layer.sources, frames: [2])[0]
            let complete = try composed([.solid(Self.below), whole], canvas: Self.size, layer.sources)[0]
            let below = flatPicture(Self.below, Self.size)
            for place in drawn.planes[0].indices {
                let wanted = place % Self.size.width >= 96 ? complete : below
                #expect(drawn.planes[0][place] == wanted.planes[0][place], "\(mode)")
            }
        }
    }

    @Test("An adjustment goes from the picture below to the changed one, and back")
    func adjustment() throws {
        var inverted = Layer(
            content: .adjustment, operations: [Operation(name: "invert", parameters: ["amount": .constant(1)])])
        let changed = try composed([.solid(Self.below), inverted], canvas: Self.size, [:])[0]
        let below = flatPicture(Self.below, Self.size)
        let range = TimeRange(start: .zero, duration: MediaTime(Rational(4, 25)))
        for (direction, share) in [(LayerTransition.Direction.entering, 0.25), (.leaving, 0.75)] {
            inverted.transitions = [LayerTransition(kind: .dissolve, direction: direction, timeRange: range)]
            let drawn = try composed([.solid(Self.below), inverted], canvas: Self.size, [:], frames: [1, 4])
            for plane in 0..<3 {
                let (without, with) = (Double(below.planes[plane][0]), Double(changed.planes[plane][0]))
                let wanted = without + (with - without) * share
                #expect(drawn[0].planes[plane].allSatisfy { abs(Double($0) - wanted) <= 1 })
            }
            // After the transition's range the adjustment is whole; the layer itself says until when.
            #expect(drawn[1] == changed)
        }
        inverted.transitions = [LayerTransition(kind: .slideLeft, direction: .entering, timeRange: range)]
        let slid = try composed([.solid(Self.below), inverted], canvas: Self.size, [:], frames: [1])[0]
        for place in slid.planes[0].indices {
            #expect(slid.planes[0][place] == (place % 192 < 144 ? below : changed).planes[0][0])
        }
    }

    @Test("Two layers whose transitions overlap go over into each other")
    func following() throws {
        let (first, second) = (
            RGBAColor(red: 200, green: 40, blue: 60, alpha: 255), RGBAColor(red: 30, green: 90, blue: 220, alpha: 255)
        )
        let overlap = TimeRange(start: MediaTime(Rational(4, 25)), duration: MediaTime(Rational(4, 25)))
        func group(_ color: RGBAColor, _ direction: LayerTransition.Direction, _ range: TimeRange) -> Layer {
            Layer(
                content: .group(layers: [.solid(color)], size: Self.size), timeRange: range,
                transitions: [LayerTransition(kind: .slideLeft, direction: direction, timeRange: overlap)])
        }
        let layers = [
            Layer.solid(Self.below),
            group(first, .leaving, TimeRange(start: .zero, duration: MediaTime(Rational(8, 25)))),
            group(second, .entering, TimeRange(start: overlap.start, duration: MediaTime(Rational(8, 25)))),
        ]
        let drawn = try composed(layers, canvas: Self.size, [:], frames: [3, 4, 5, 6, 7, 8])
        let (left, right) = (flatPicture(first, Self.size), flatPicture(second, Self.size))
        #expect(drawn[0] == left && drawn[1] == left && drawn[5] == right)
        for (index, edge) in [(2, 144), (3, 96), (4, 48)] {
            for place in drawn[index].planes[0].indices {
                #expect(drawn[index].planes[0][place] == (place % 192 < edge ? left : right).planes[0][0])
            }
        }
    }
}

extension TransitionKind {
    fileprivate var isStrip: Bool {
        [.wipeLeft, .wipeRight, .wipeUp, .wipeDown, .slideLeft, .slideRight, .slideUp, .slideDown].contains(self)
    }

    fileprivate var isAcross: Bool { [.wipeLeft, .wipeRight, .slideLeft, .slideRight].contains(self) }
}

/// A picture with an opaque, a soft, a translucent and an empty part.
private struct SoftPicture {
    let size: FrameSize
    private let source: TestSource
    /// The coverage of each pixel.
    private let alpha: [UInt8]

    var sources: [String: SourceReference] { source.sources }

    init(_ size: FrameSize, in directory: TemporaryDirectory) throws {
        self.size = size
        let frame = try VideoFrame(.rgba, size)
        let plane = frame.plane(0)
        var alpha: [UInt8] = []
        for y in 0..<size.height {
            for x in 0..<size.width {
                let (across, down) = (Double(x - 60), Double(y - 54))
                let soft = 1.3 - (across * across + down * down).squareRoot() / 45
                let cover = (110..<170).contains(x) && (20..<90).contains(y) ? (x < 140 ? 1 : 0.6) : min(1, max(0, soft))
                alpha.append(UInt8((cover * 255).rounded()))
                let color = [60 + x, 230 - 2 * y, 40 + y]
                for channel in 0..<3 { plane.row(y)[4 * x + channel] = UInt8(min(255, color[channel])) }
                plane.row(y)[4 * x + 3] = alpha[alpha.count - 1]
            }
        }
        self.alpha = alpha
        let path = directory.file("soft.png")
        try PictureFile.write(frame, as: .png, to: path)
        source = try TestSource(path)
    }

    /// The picture over the whole canvas, with a transition over its first frames at 25 frames a second.
    func layer(
        _ kind: TransitionKind?, _ direction: LayerTransition.Direction = .entering, count: Int = 0
    ) -> Layer {
        let range = TimeRange(start: .zero, duration: MediaTime(Rational(Int64(count), 25)))
        return Layer(
            content: .still(source: source.hash), placement: .whole(into: PixelRect(size)),
            transitions: kind.map { [LayerTransition(kind: $0, direction: direction, timeRange: range)] })
    }

    /// All frames of xfade's transition, in 4:4:4 with coverage.
    func xfade(
        _ kind: TransitionKind, _ direction: LayerTransition.Direction, count: Int, in directory: TemporaryDirectory
    ) async throws -> [CoveredFrame] {
        // The picture over black is the premultiplied picture.
        let black = try composed([.solid(.black), layer(nil)], canvas: size, sources)[0]
        let area = size.width * size.height
        var own = (0..<3).flatMap { plane in
            (0..<area).map { place -> UInt8 in
                let (x, y) = (place % size.width, place / size.width)
                return black.planes[plane][plane == 0 ? place : y / 2 * black.width(plane) + x / 2]
            }
        }
        own += alpha
        let empty =
            [UInt8](repeating: 16, count: area) + [UInt8](repeating: 128, count: 2 * area) + [UInt8](repeating: 0, count: area)
        let inputs = try (direction == .entering ? [empty, own] : [own, empty]).enumerated().flatMap { index, picture in
            let path = directory.file("\(index).raw")
            try Data([[UInt8]](repeating: picture, count: count).flatMap { $0 }).write(to: URL(fileURLWithPath: path))
            return ["-f", "rawvideo", "-pix_fmt", "yuva444p", "-s", "\(size)", "-r", "\(count)", "-i", path]
        }
        let output = directory.file("out.raw")
        let name = XfadeTests.otherNames[kind] ?? kind.rawValue.lowercased()
        try await FFmpegTool.ffmpeg(
            inputs + [
                "-filter_complex", "[0:v][1:v]xfade=transition=\(name):duration=1:offset=0", "-f", "rawvideo", "-pix_fmt",
                "yuva444p", output,
            ])
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: output)))
        #expect(bytes.count >= count * 4 * area)
        return (0..<count).map { CoveredFrame(size: size, samples: Array(bytes[($0 * 4 * area)..<(($0 + 1) * 4 * area)])) }
    }
}

/// A premultiplied frame in 4:4:4 with coverage.
private struct CoveredFrame {
    let size: FrameSize
    let samples: [UInt8]

    /// The frame over an opaque picture: planes of 4:2:0, each chroma sample the mean of its four places.
    func over(_ below: PlanarPicture) -> [[Double]] {
        let area = size.width * size.height
        return (0..<3).map { plane in
            let black = plane == 0 ? 16.0 : 128
            func sample(_ x: Int, _ y: Int) -> Double {
                let place = y * size.width + x
                let under = Double(below.planes[plane][plane == 0 ? place : y / 2 * below.width(plane) + x / 2])
                let clear = 1 - Double(samples[3 * area + place]) / 255
                return Double(samples[plane * area + place]) + clear * (under - black)
            }
            return (0..<below.height(plane)).flatMap { y in
                (0..<below.width(plane)).map { x in
                    guard plane > 0 else { return sample(x, y) }
                    let sum = sample(2 * x, 2 * y) + sample(2 * x + 1, 2 * y) + sample(2 * x, 2 * y + 1)
                    return (sum + sample(2 * x + 1, 2 * y + 1)) / 4
                }
            }
        }
    }
}
