import Compositor
import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing

/// Operations that mix pixels, make them transparent or are animated by themselves, on layers, groups and adjustment
/// layers.
@Suite struct SpatialFilterTests {
    private static let size = FrameSize(width: 66, height: 50)
    private static let white = RGBAColor(red: 255, green: 255, blue: 255, alpha: 255)
    private static let blue = RGBAColor(red: 40, green: 90, blue: 160, alpha: 255)
    private static let green = RGBAColor(red: 0, green: 255, blue: 0, alpha: 255)
    private let blur = ExportPlan.Operation(name: "blur", parameters: ["radius": .constant(3)])
    private let key = ExportPlan.Operation(name: "chromaKey")

    private func still(_ source: TestSource, _ operations: [ExportPlan.Operation]) -> Layer {
        Layer(
            content: .still(source: source.hash), placement: .whole(into: PixelRect(SpatialFilterTests.size)),
            operations: operations)
    }

    /// The left half is green, the right half orange.
    private var halves: PlanarPicture {
        var picture = flatPicture(SpatialFilterTests.green, SpatialFilterTests.size)
        let orange = flatPicture(RGBAColor(red: 230, green: 120, blue: 20, alpha: 255), SpatialFilterTests.size)
        for plane in 0..<3 {
            let width = picture.width(plane)
            for index in picture.planes[plane].indices where index % width >= (plane == 0 ? 34 : 17) {
                picture.planes[plane][index] = orange.planes[plane][index]
            }
        }
        return picture
    }

    @Test("A keyed picture that covers the canvas shows what lies below it, and the rest stays")
    func key() async throws {
        let directory = try TemporaryDirectory()
        let source = try await TestSource([halves], in: directory)
        let drawn = try composed(
            [.solid(SpatialFilterTests.blue), still(source, [key])], canvas: SpatialFilterTests.size, source.sources)[0]
        let (below, above) = (flatPicture(SpatialFilterTests.blue, SpatialFilterTests.size), halves)
        for plane in 0..<3 {
            let edge = plane == 0 ? 34 : 17
            for (index, value) in drawn.planes[plane].enumerated() {
                let wanted = (index % drawn.width(plane) < edge ? below : above).planes[plane][index]
                #expect(abs(Int(value) - Int(wanted)) <= 1)
            }
        }
    }

    @Test("A blur of a picture with alpha has no fringe: white stays white, and spreads over black")
    func fringe() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("disc.png")
        let pixels = (0..<(66 * 50)).flatMap { index -> [UInt8] in
            let (x, y) = (index % 66 - 33, index / 66 - 25)
            return x * x + y * y < 200 ? [255, 255, 255, 255] : [0, 255, 0, 0]
        }
        try await RawVideo.write(
            [pixels], pixelFormat: "rgba", size: SpatialFilterTests.size, options: ["-c:v", "png"], to: path)
        let source = try TestSource(path)
        let white = SpatialFilterTests.white
        for operations in [[blur], [ExportPlan.Operation(name: "zoomBlur", parameters: ["strength": .constant(5)])]] {
            let onWhite = try composed(
                [.solid(white), still(source, operations)], canvas: SpatialFilterTests.size, source.sources)[0]
            #expect(onWhite.largestDifference(from: flatPicture(white, SpatialFilterTests.size)) <= 1)
        }
        let onBlack = try composed([.solid(.black), still(source, [blur])], canvas: SpatialFilterTests.size, source.sources)[0]
        // Just outside of the disc it is brighter now, and just inside darker.
        let row = onBlack.planes[0][(25 * 66)..<(26 * 66)].map(Int.init)
        #expect(row[33 + 16] > 30 && row[33 + 12] < 200 && row[33] > 230)
        #expect(onBlack.planes[1].allSatisfy { abs(Int($0) - 128) <= 1 })
    }

    @Test("An adjustment layer blurs like a filter, and at half opacity gives half of the effect")
    func adjustment() async throws {
        let directory = try TemporaryDirectory()
        let source = try await TestSource([PlanarPicture.noise(SpatialFilterTests.size, seed: 71)], in: directory)
        let below = still(source, [])
        func adjusted(_ opacity: Double) throws -> PlanarPicture {
            try composed(
                [below, Layer(content: .adjustment, opacity: .constant(opacity), operations: [blur])],
                canvas: SpatialFilterTests.size, source.sources)[0]
        }
        let filtered = try composed([still(source, [blur])], canvas: SpatialFilterTests.size, source.sources)[0]
        let plain = try composed([below], canvas: SpatialFilterTests.size, source.sources)[0]
        #expect(try adjusted(1) == filtered)
        let half = try adjusted(0.5)
        for plane in 0..<3 {
            for index in half.planes[plane].indices {
                let sum = Int(filtered.planes[plane][index]) + Int(plain.planes[plane][index])
                #expect(abs(2 * Int(half.planes[plane][index]) - sum) <= 2)
            }
        }
    }

    @Test("In a group an adjustment layer blurs the outline, and keyed parts become transparent")
    func adjustmentInGroup() throws {
        let square = Layer(
            content: .group(layers: [.solid(SpatialFilterTests.white)], size: FrameSize(width: 20, height: 20)),
            transform: middle)
        func group(_ inside: [Layer]) -> Layer {
            Layer(content: .group(layers: inside, size: SpatialFilterTests.size), transform: middle)
        }
        let soft = try composed(
            [.solid(SpatialFilterTests.white), group([square, Layer(content: .adjustment, operations: [blur])])],
            canvas: SpatialFilterTests.size, [:])[0]
        #expect(soft.largestDifference(from: flatPicture(SpatialFilterTests.white, SpatialFilterTests.size)) <= 1)
        let onBlack = try composed(
            [.solid(.black), group([square, Layer(content: .adjustment, operations: [blur])])],
            canvas: SpatialFilterTests.size, [:])[0]
        let row = onBlack.planes[0][(25 * 66)..<(26 * 66)].map(Int.init)
        #expect(row[33 + 12] > 40 && row[33 + 7] < 215 && row[33 + 25] == 16)
        let keyed = try composed(
            [
                .solid(SpatialFilterTests.blue),
                group([.solid(SpatialFilterTests.green), Layer(content: .adjustment, operations: [key])]),
            ],
            canvas: SpatialFilterTests.size, [:])[0]
        #expect(keyed == flatPicture(SpatialFilterTests.blue, SpatialFilterTests.size))
        // The film itself is opaque, so only black is left.
        let film = try composed(
            [.solid(SpatialFilterTests.green), Layer(content: .adjustment, operations: [key])],
            canvas: SpatialFilterTests.size, [:])[0]
        #expect(film == flatPicture(.black, SpatialFilterTests.size))
    }

    private var middle: LayerTransform {
        LayerTransform(
            position: .init(x: .constant(33), y: .constant(25)), anchor: .init(x: .constant(0.5), y: .constant(0.5)),
            scale: .init(x: .constant(1), y: .constant(1)), rotation: .constant(0))
    }

    @Test("A blurred shape spreads beyond its own edges, and its middle stays in place")
    func shape() throws {
        let rect = ShapeContent(
            outline: .rect(width: 20, height: 20, cornerRadius: 0), fill: SpatialFilterTests.white, stroke: nil)
        let layer = Layer(content: .shape(rect), transform: middle, operations: [blur])
        let drawn = try composed([.solid(.black), layer], canvas: SpatialFilterTests.size, [:])[0]
        let row = drawn.planes[0][(25 * 66)..<(26 * 66)].map(Int.init)
        // The edge is at 43. The profile is an error function, which is half as bright there.
        #expect(abs((row[42] + row[43]) / 2 - (16 + 219 / 2)) <= 3)
        #expect(row[46] > 30 && row[46] < row[43] && row[33] > 232 && row[60] == 16)
        for x in 0..<33 { #expect(abs(row[32 - x] - row[33 + x]) <= 1, "\(x) from the middle") }
    }

    @Test(
        "Operations that move by themselves look the same however the film is cut into segments",
        arguments: ["grain", "shake", "soulOut", "glitch", "hazy", "ghost"])
    func cuts(_ name: String) async throws {
        let directory = try TemporaryDirectory()
        let source = try await TestSource([PlanarPicture.noise(SpatialFilterTests.size, seed: 72)], in: directory)
        // The operation starts between two frames of the film.
        let start = MediaTime(Rational(3, 40))
        let moving = [ExportPlan.Operation(name: name, start: start)]
        let canvas = SpatialFilterTests.size
        let stacks = [
            [still(source, moving)], [still(source, []), Layer(content: .adjustment, operations: moving)],
            [.solid(.black), Layer(content: .group(layers: [still(source, moving)], size: canvas), transform: middle)],
        ]
        for layers in stacks {
            let whole = try composed(layers, canvas: canvas, source.sources, frames: Array(2..<14))
            #expect(Set(whole.map(\.bytes)).count > 3)
            for cut in [2, 5, 9] {
                let offset = -FrameRate(25).time(ofFrame: cut)
                let range = TimeRange(start: .zero, duration: MediaTime(seconds: 1))
                let rest = layers.compactMap { $0.shifted(by: offset).restricted(to: range) }
                let frames = try composed(rest, canvas: canvas, source.sources, frames: Array(0..<(14 - cut)))
                #expect(frames == Array(whole[(cut - 2)...]), "cut at \(cut)")
                #expect(try composed(rest, canvas: canvas, source.sources, frames: [4])[0] == whole[cut + 2])
            }
        }
    }
}
