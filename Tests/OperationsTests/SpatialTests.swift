import ExportPlan
import Operations
import TestSupport
import Testing
import Glibc

/// Each spatial operation compared with its definition in double precision.
@Suite struct SpatialTests {
    private let picture = PixelPicture.colorful(FrameSize(width: 53, height: 38))

    private func compare(_ name: String, _ values: [String: Double], _ formula: (Int, Int, SIMD3<Double>) -> SIMD3<Double>) throws
    {
        let found = try picture.applying([.constant(name, values)])
        #expect(found.largestDifference(from: picture.mapped(formula)) <= 1, "\(name) \(values)")
    }

    /// The two-dimensional Gaussian out to five standard deviations, as a double sum.
    private func gaussian(_ x: Int, _ y: Int, _ deviation: Double) -> SIMD3<Double> {
        let radius = Int((5 * deviation).rounded(.up))
        var (sum, weights) = (SIMD3<Double>(), 0.0)
        for dy in -radius...radius {
            for dx in -radius...radius {
                let weight = exp(-Double(dx * dx + dy * dy) / (2 * deviation * deviation))
                sum += weight * picture[x + dx, y + dy]
                weights += weight
            }
        }
        return sum / weights
    }

    @Test("A blur is a Gaussian, and an unsharp mask adds the difference to it", arguments: [0.4, 1.5, 4])
    func gaussians(_ radius: Double) throws {
        try compare("blur", ["radius": radius]) { x, y, _ in gaussian(x, y, radius) }
        try compare("sharpen", ["amount": 1.6, "radius": radius]) { x, y, color in
            color + 1.6 * (color - gaussian(x, y, radius))
        }
    }

    @Test("A mosaic's squares have the mean of their pixels, also where an edge cuts them", arguments: [2, 7, 40, 1024])
    func mosaic(_ side: Int) throws {
        try compare("mosaic", ["size": Double(side)]) { x, y, _ in
            var (sum, count) = (SIMD3<Double>(), 0.0)
            for row in (y / side * side)..<min(picture.size.height, (y / side + 1) * side) {
                for column in (x / side * side)..<min(picture.size.width, (x / side + 1) * side) {
                    sum += picture[column, row]
                    count += 1
                }
            }
            return sum / count
        }
    }

    @Test("A zoom blur equals GPUImage's nine samples along the ray")
    func zoomBlur() throws {
        for (strength, centerX, centerY) in [(1.0, 0.5, 0.5), (6, 0.2, 0.9), (20, 1.3, -0.5)] {
            try compare("zoomBlur", ["strength": strength, "center.x": centerX, "center.y": centerY]) { x, y, _ in
                let place = SIMD2(
                    (Double(x) + 0.5) / Double(picture.size.width), (Double(y) + 0.5) / Double(picture.size.height))
                let offset = 0.01 * (SIMD2(centerX, centerY) - place) * strength
                var sum = 0.18 * bilinear(place)
                for (step, weight) in [(1.0, 0.15), (2, 0.12), (3, 0.09), (4, 0.05)] {
                    sum += weight * (bilinear(place + step * offset) + bilinear(place - step * offset))
                }
                return sum
            }
        }
    }

    /// Samples like a texture unit with linear filtering that repeats edge pixels.
    private func bilinear(_ place: SIMD2<Double>) -> SIMD3<Double> {
        let (x, y) = (place.x * Double(picture.size.width) - 0.5, place.y * Double(picture.size.height) - 0.5)
        let (left, top) = (floor(x), floor(y))
        let (across, down) = (x - left, y - top)
        let (column, row) = (Int(left), Int(top))
        let upper = picture[column, row] * (1 - across) + picture[column + 1, row] * across
        let lower = picture[column, row + 1] * (1 - across) + picture[column + 1, row + 1] * across
        return upper * (1 - down) + lower * down
    }

    @Test("Transparent pixels lend no colour to their neighbours")
    func transparency() throws {
        // Red where the picture is opaque, green where it is transparent.
        var half = PixelPicture(size: FrameSize(width: 16, height: 2), channels: 4, bytes: [])
        half.bytes = (0..<32).flatMap { $0 % 16 < 8 ? [255, 0, 0, 255] : [0, 255, 0, 0] as [UInt8] }
        let blurred = try half.applying([.constant("blur", ["radius": 2])])
        for x in 0..<32 where blurred.bytes[x * 4 + 3] > 0 {
            #expect(Array(blurred.bytes[(x * 4)..<(x * 4 + 3)]) == [255, 0, 0])
        }
        #expect(blurred.bytes[3] == 255 && (100...155).contains(blurred.bytes[7 * 4 + 3]))
    }
}
