import ExportPlan

/// A picture from a disturbed line: in every beat some bands of rows are shifted sideways, and red and blue are shifted
/// away from green.
extension OperationDescriptor {
    static let glitch = OperationDescriptor(
        "glitch", "Tears bands of the picture aside and its colours apart, as a disturbed line does.",
        formula:
            "r(x - s - e, y), g(x - s, y), b(x - s + e, y), alpha the greatest of the three's; s = amount * 0.15 width * n(k, band) where n(k, band + 65536) > 0.4, else 0; e = amount * 0.03 width * n(k, 131072); the picture has 24 bands, k = floor(t * speed), n in -1...1 from lowbias32 with seed, t seconds since the beginning; shifts are whole pixels",
        isTimeDependent: true,
        parameters: [
            OperationParameter("amount", default: 0.5, neutral: 0, in: 0...1, unit: "share", "how far all goes"),
            OperationParameter("speed", default: 10, in: 0.1...60, unit: "beats a second", "how often it changes"),
            OperationParameter("seed", default: 0, in: 0...65_535, unit: "number", "other disturbances for each"),
        ],
        .spatial { instant in
            let tear = Tear(instant)
            return { picture in
                var result = picture
                for (index, side) in [1, 0, -1].enumerated() {
                    result.planes[index] = tear.moved(picture.planes[index], side: side)
                }
                guard picture.hasAlpha else { return result }
                let covers = [1, 0, -1].map { tear.moved(picture.planes[3], side: $0) }
                result.planes[3] = covers[0].indices.map { max(covers[0][$0], max(covers[1][$0], covers[2][$0])) }
                return result
            }
        })
}

/// The horizontal shift of each row.
private struct Tear {
    private static let bands = 24

    private let width: Int
    /// The shift of each row to the right, in pixels.
    private let shifts: [Int]
    /// The additional shift of red to the right and of blue to the left, in pixels.
    private let split: Int

    init(_ instant: OperationInstant) {
        let (amount, seed) = (instant["amount"], instant["seed"])
        let beat = Course.beat(instant.seconds, perSecond: Double(instant["speed"])).number
        let (width, height) = (instant.size.width, instant.size.height)
        self.width = width
        split = Int((amount * 0.03 * Float(width) * Course.noise(beat, channel: 131_072, seed: seed)).rounded())
        let bands = (0..<Tear.bands).map { band -> Int in
            guard Course.noise(beat, channel: band + 65_536, seed: seed) > 0.4 else { return 0 }
            return Int((amount * 0.15 * Float(width) * Course.noise(beat, channel: band, seed: seed)).rounded())
        }
        shifts = (0..<height).map { bands[$0 * Tear.bands / height] }
    }

    /// - Parameter side: 1 for red, 0 for green, -1 for blue.
    func moved(_ plane: [Float], side: Int) -> [Float] {
        var result = plane
        for (y, shift) in shifts.enumerated() {
            let total = shift + side * split
            guard total != 0 else { continue }
            for x in 0..<width { result[y * width + x] = plane[y * width + min(max(x - total, 0), width - 1)] }
        }
        return result
    }
}
