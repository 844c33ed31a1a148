/// The whole pixels around something drawn, counted from its box's top left corner. The maxima are exclusive.
struct PixelBounds: Equatable {
    var minX: Int
    var minY: Int
    var maxX: Int
    var maxY: Int

    /// - Parameter margin: a distance added on every side before the edges are rounded outwards to whole pixels.
    init(x: Double, y: Double, width: Double, height: Double, margin: Double = 0) {
        minX = PixelBounds.whole((x - margin).rounded(.down))
        minY = PixelBounds.whole((y - margin).rounded(.down))
        maxX = PixelBounds.whole((x + width + margin).rounded(.up))
        maxY = PixelBounds.whole((y + height + margin).rounded(.up))
    }

    var width: Int { maxX - minX }
    var height: Int { maxY - minY }

    func grown(by margin: Int) -> PixelBounds {
        var result = self
        result.minX -= margin
        result.minY -= margin
        result.maxX += margin
        result.maxY += margin
        return result
    }

    func union(_ other: PixelBounds) -> PixelBounds {
        var result = self
        result.minX = min(minX, other.minX)
        result.minY = min(minY, other.minY)
        result.maxX = max(maxX, other.maxX)
        result.maxY = max(maxY, other.maxY)
        return result
    }

    /// Clamps huge values: they must not overflow here, and are refused later because they cannot be drawn.
    private static func whole(_ value: Double) -> Int { Int(min(max(value, -1e6), 1e6)) }
}
