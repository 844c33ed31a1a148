import Compositor
import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing
import Vocabulary

/// `lumaMap` compared with its definition, in `Double`, place by place.
@Suite struct LumaMapTests {
    private let size = FrameSize(width: 50, height: 38)

    @Test("B's weight follows the documented ramp", arguments: [0, 0.2, 1], [false, true])
    func equalsDefinition(_ softness: Double, _ inverted: Bool) throws {
        let (from, to, map) = (PlanarPicture.noise(size, seed: 21), PlanarPicture.noise(size, seed: 22), gradient())
        let drawing = LumaMapReveal(try map.frame(), softness: softness, inverted: inverted)
        for step in 0..<10 {
            let progress = Double(step) / 10
            let weights = map.planes[0].map { luma in
                let value = (Double(luma) - 16) / 219
                let seen = inverted ? 1 - value : value
                return softness > 0 ? min(1, max(0, (progress * (1 + softness) - seen) / softness)) : seen < progress ? 1 : 0
            }
            let picture = try drawn(drawing, from, to, step, 10)
            #expect(largestError(picture, mixed(from, to, weights)) <= 1, "\(step)/10")
        }
    }

    @Test("A luma map reveals all of B at p = 1 and none of it at p = 0", arguments: [0.1, 0.5, 1], [false, true])
    func ends(_ softness: Double, _ inverted: Bool) throws {
        let (from, to) = (PlanarPicture.noise(size, seed: 23), PlanarPicture.noise(size, seed: 24))
        let drawing = LumaMapReveal(try gradient().frame(), softness: softness, inverted: inverted)
        #expect(try drawn(drawing, from, to, 0, 8) == from)
        #expect(try drawn(drawing, from, to, 8, 8) == to)
    }

    @Test("The compositor takes the map from its own layers, stretched over the canvas")
    func fromLayers() async throws {
        let directory = try TemporaryDirectory()
        // The left half is black and the right half white, at half the canvas's size.
        var picture = PlanarPicture(size: FrameSize(width: 32, height: 24), y: 16, u: 128, v: 128)
        for place in picture.planes[0].indices where place % 32 >= 16 { picture.planes[0][place] = 235 }
        let source = try await TestSource([picture], in: directory)
        let canvas = FrameSize(width: 64, height: 48)
        let map = Transition.LumaMap(
            picture: [
                .solid(.black),
                Layer(content: .still(source: source.hash), placement: .whole(into: PixelRect(canvas))),
            ], softness: 0, inverted: false)
        let colors = [RGBAColor(red: 200, green: 30, blue: 60, alpha: 255), RGBAColor(red: 10, green: 90, blue: 250, alpha: 255)]
        let range = TimeRange(start: .zero, duration: MediaTime(seconds: 1))
        let transition = Transition(
            kind: .lumaMap, timeRange: range, from: [.solid(colors[0])], to: [.solid(colors[1])], map: map)
        let layer = Layer(content: .transition(transition))
        let frames = try composed([layer], canvas: canvas, source.sources, frames: [0, 12])
        let flat = colors.map { flatPicture($0, canvas).planes[0][0] }
        #expect(Set(frames[0].planes[0]) == [flat[0]])
        let row = Array(frames[1].planes[0][0..<64])
        #expect(row[0..<28].allSatisfy { $0 == flat[1] })
        #expect(row[36..<64].allSatisfy { $0 == flat[0] })
    }

    /// Every luma code in turn, row after row.
    private func gradient() -> PlanarPicture {
        var map = PlanarPicture(size: size, y: 16, u: 128, v: 128)
        for place in map.planes[0].indices { map.planes[0][place] = UInt8(16 + place % 220) }
        return map
    }

    private func drawn(
        _ drawing: LumaMapReveal, _ from: PlanarPicture, _ to: PlanarPicture, _ step: Int, _ count: Int
    ) throws -> PlanarPicture {
        let target = try VideoFrame(.yuv420, from.size)
        drawing.draw(try from.frame(), try to.frame(), TransitionProgress(step: step, count: count), into: target)
        return PlanarPicture(target)
    }

    private func mixed(_ from: PlanarPicture, _ to: PlanarPicture, _ weights: [Double]) -> [[Double]] {
        (0..<3).map { plane in
            from.planes[plane].indices.map { index in
                var weight = weights[index % weights.count]
                if plane > 0 {
                    let (x, y) = (index % from.width(plane), index / from.width(plane))
                    let base = 2 * y * size.width + 2 * x
                    weight = [0, 1, size.width, size.width + 1].reduce(0) { $0 + weights[base + $1] } / 4
                }
                return Double(from.planes[plane][index]) * (1 - weight) + Double(to.planes[plane][index]) * weight
            }
        }
    }
}
