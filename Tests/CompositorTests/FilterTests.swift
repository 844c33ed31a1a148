import Compositor
import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing

/// A layer's operations on its picture.
@Suite struct FilterTests {
    private static let size = FrameSize(width: 66, height: 50)

    private func layer(_ source: TestSource, _ operations: [Operation], opacity: Double = 1) -> Layer {
        Layer(
            content: .still(source: source.hash), placement: .whole(into: PixelRect(FilterTests.size)),
            opacity: .constant(opacity), operations: operations)
    }

    @Test("Operations at their neutral values leave every bit unchanged")
    func neutral() async throws {
        let directory = try TemporaryDirectory()
        let picture = PlanarPicture.noise(FilterTests.size, seed: 40)
        let source = try await TestSource([picture], in: directory)
        let operations = [
            Operation(name: "contrast", parameters: ["amount": .constant(1)]),
            Operation(name: "saturation", parameters: ["amount": .constant(1)]),
            Operation(name: "hue", parameters: ["angle": .constant(0)]),
        ]
        #expect(try composed([layer(source, operations)], canvas: FilterTests.size, source.sources)[0] == picture)
    }

    @Test(
        "A flat colour becomes the colour that the formula gives",
        arguments: [
            (Operation(name: "invert"), [55, 225, 165]),
            (Operation(name: "brightness", parameters: ["amount": .constant(0.2)]), [251, 81, 141]),
            (Operation(name: "grayscale"), [70, 70, 70]),
        ])
    func flat(_ operation: Operation, _ wanted: [Int]) async throws {
        let directory = try TemporaryDirectory()
        let color = RGBAColor(red: 200, green: 30, blue: 90, alpha: 255)
        let source = try await TestSource([flatPicture(color, FilterTests.size)], in: directory)
        let drawn = try composed([layer(source, [operation])], canvas: FilterTests.size, source.sources)[0]
        let expected = RGBAColor(red: UInt8(wanted[0]), green: UInt8(wanted[1]), blue: UInt8(wanted[2]), alpha: 255)
        #expect(drawn.largestDifference(from: flatPicture(expected, FilterTests.size)) <= 1)
    }

    @Test("A still with an operation that varies by frame changes, and a frame drawn alone is the same")
    func grain() async throws {
        let directory = try TemporaryDirectory()
        let gray = RGBAColor(red: 128, green: 128, blue: 128, alpha: 255)
        let source = try await TestSource([flatPicture(gray, FilterTests.size)], in: directory)
        let layers = [layer(source, [Operation(name: "grain", parameters: ["amount": .constant(0.3)])])]
        let inTurn = try composed(layers, canvas: FilterTests.size, source.sources, frames: Array(0..<5))
        #expect(Set(inTurn.map(\.bytes)).count == 5)
        for frame in [4, 1, 3] {
            #expect(try composed(layers, canvas: FilterTests.size, source.sources, frames: [frame])[0] == inTurn[frame])
        }
    }

    @Test("An animated value is read at each frame's own time, and the filter comes before the opacity")
    func moving() async throws {
        let directory = try TemporaryDirectory()
        let gray = RGBAColor(red: 100, green: 100, blue: 100, alpha: 255)
        let source = try await TestSource([flatPicture(gray, FilterTests.size)], in: directory)
        let amount = AnimatedValue(keys: [.init(time: .zero, value: 0), .init(time: MediaTime(Rational(10, 25)), value: 0.5)])
        let brighter = layer(source, [Operation(name: "brightness", parameters: ["amount": amount])], opacity: 0.5)
        let frames = try composed([.solid(.black), brighter], canvas: FilterTests.size, source.sources, frames: [0, 4, 10])
        for (picture, step) in zip(frames, [0, 4, 10]) {
            let level = (100 + 255 * 0.05 * Double(step)) / 2
            let wanted = RGBAColor(red: UInt8(level), green: UInt8(level), blue: UInt8(level), alpha: 255)
            #expect(picture.largestDifference(from: flatPicture(wanted, FilterTests.size)) <= 2, "frame \(step)")
        }
    }
}
