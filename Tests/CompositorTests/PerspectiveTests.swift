import ExactTime
import ExportPlan
import TestSupport
import Testing

/// Pictures in perspective, defined by their four corners.
@Suite struct PerspectiveTests {
    private static let size = FrameSize(width: 64, height: 48)
    private static let canvas = FrameSize(width: 120, height: 90)

    private func layer(_ source: TestSource, _ points: [(Double, Double)]) -> Layer {
        let pairs = points.map { LayerTransform.Pair(x: .constant($0.0), y: .constant($0.1)) }
        var transform = LayerTransform.constant(x: 0, y: 0)
        transform.corners = .init(topLeft: pairs[0], topRight: pairs[1], bottomRight: pairs[2], bottomLeft: pairs[3])
        return Layer(
            content: .still(source: source.hash), placement: .whole(into: PixelRect(PerspectiveTests.size)),
            transform: transform)
    }

    private func drawn(_ layer: Layer, _ source: TestSource) throws -> PlanarPicture {
        try composed([.solid(.black), layer], canvas: PerspectiveTests.canvas, source.sources)[0]
    }

    @Test("Corners at whole pixels and the picture's own size give the picture, bit for bit")
    func exact() async throws {
        let directory = try TemporaryDirectory()
        let picture = PlanarPicture.noise(PerspectiveTests.size, seed: 60)
        let source = try await TestSource([picture], in: directory)
        var wanted = flatPicture(.black, PerspectiveTests.canvas)
        wanted.draw(picture, at: PixelRect(x: 10, y: 20, width: 64, height: 48)) { Double($1) }
        #expect(try drawn(layer(source, [(10, 20), (74, 20), (74, 68), (10, 68)]), source) == wanted)
    }

    @Test("The corners of a rotated rectangle give the rotated picture within two code values")
    func rotated() async throws {
        let directory = try TemporaryDirectory()
        let picture = PlanarPicture.smooth(PerspectiveTests.size)
        let source = try await TestSource([picture], in: directory)
        var plain = layer(source, [(0, 0), (1, 0), (1, 1), (0, 1)])
        plain.transform = .constant(x: 60, y: 45, rotation: 30)
        let (c, s) = (0.8660254037844387, 0.5)
        let corners = [(-32.0, -24.0), (32, -24), (32, 24), (-32, 24)].map {
            (60 + c * $0.0 - s * $0.1, 45 + s * $0.0 + c * $0.1)
        }
        let difference = try drawn(layer(source, corners), source).largestDifference(from: drawn(plain, source))
        #expect(difference <= 2)
    }

    @Test("Every inner pixel equals an independently solved projection of the unit square")
    func projected() async throws {
        let directory = try TemporaryDirectory()
        let picture = PlanarPicture.smooth(PerspectiveTests.size)
        let source = try await TestSource([picture], in: directory)
        let corners = [(12.0, 8.0), (108, 20), (100, 80), (20, 66)]
        let result = try drawn(layer(source, corners), source)
        var counted = 0
        for (u, v) in stride(from: 0.1, through: 0.9, by: 0.1).flatMap({ u in
            stride(from: 0.1, through: 0.9, by: 0.1).map { (u, $0) }
        }) {
            let place = try #require(projection(of: corners, u, v))
            let value = picture.sample(u * 64 - 0.5, v * 48 - 0.5)
            let found = result.sample(place.x - 0.5, place.y - 0.5)
            #expect(abs(found - value) <= 2, "(\(u), \(v)) lands at \(place)")
            counted += 1
        }
        #expect(counted == 81)
    }

    /// Solves the eight equations of a projective map by elimination.
    private func projection(of corners: [(Double, Double)], _ u: Double, _ v: Double) -> (x: Double, y: Double)? {
        let square = [(0.0, 0.0), (1, 0), (1, 1), (0, 1)]
        var rows: [[Double]] = []
        for ((a, b), (x, y)) in zip(square, corners) {
            rows.append([a, b, 1, 0, 0, 0, -a * x, -b * x, x])
            rows.append([0, 0, 0, a, b, 1, -a * y, -b * y, y])
        }
        for column in 0..<8 {
            guard let pivot = (column..<8).max(by: { abs(rows[$0][column]) < abs(rows[$1][column]) }) else { return nil }
            rows.swapAt(column, pivot)
            for row in 0..<8 where row != column {
                let factor = rows[row][column] / rows[column][column]
                for index in column..<9 { rows[row][index] -= factor * rows[column][index] }
            }
        }
        let m = (0..<8).map { rows[$0][8] / rows[$0][$0] }
        let depth = m[6] * u + m[7] * v + 1
        return ((m[0] * u + m[1] * v + m[2]) / depth, (m[3] * u + m[4] * v + m[5]) / depth)
    }

    @Test("Parts that are shrunk by distance are averaged: a fine chequerboard becomes grey")
    func averaged() async throws {
        let directory = try TemporaryDirectory()
        let size = PerspectiveTests.size
        var board = PlanarPicture(size: size, y: 16, u: 128, v: 128)
        for y in 0..<48 {
            for x in 0..<64 where (x + y) % 2 == 0 { board.planes[0][y * 64 + x] = 235 }
        }
        let source = try await TestSource([board], in: directory)
        let result = try drawn(layer(source, [(54, 40), (66, 40), (70, 50), (50, 50)]), source)
        for x in 57..<63 { #expect(abs(Int(result.planes[0][45 * 120 + x]) - 126) <= 8) }
    }
}

extension PlanarPicture {
    /// A picture with slow changes only, which interpolation reproduces exactly.
    fileprivate static func smooth(_ size: FrameSize) -> PlanarPicture {
        var picture = PlanarPicture(size: size, y: 0, u: 128, v: 128)
        for y in 0..<size.height {
            for x in 0..<size.width { picture.planes[0][y * size.width + x] = UInt8(40 + 2 * x + y) }
        }
        return picture
    }

    /// Luma interpolated between samples.
    fileprivate func sample(_ x: Double, _ y: Double) -> Double {
        let (column, row) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
        let (right, low) = (x - Double(column), y - Double(row))
        func at(_ x: Int, _ y: Int) -> Double {
            Double(planes[0][min(max(y, 0), size.height - 1) * size.width + min(max(x, 0), size.width - 1)])
        }
        let upper = at(column, row) * (1 - right) + at(column + 1, row) * right
        return upper * (1 - low) + (at(column, row + 1) * (1 - right) + at(column + 1, row + 1) * right) * low
    }
}
