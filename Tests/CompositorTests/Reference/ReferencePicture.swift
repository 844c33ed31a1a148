import ExportPlan

/// A picture of the reference renderer: full-range gamma-encoded red, green and blue in `Double`, premultiplied, with a
/// separate colour for every pixel. Each pixel also says how accurately 8-bit 4:2:0 can represent it.
struct ReferencePicture {
    struct Pixel {
        /// Red, green, blue, 0...1, multiplied by alpha.
        var color = SIMD3<Double>.zero
        var alpha = 0.0
        /// Whether an edge is so near that the pixel's chroma sample is shared with something else.
        var isSplit = false
        /// Whether its colour was computed from a shared chroma sample by a nonlinear formula, so that its luma depends
        /// on that, too.
        var isMixed = false
        /// How much steeper than 1 the formulas are that it went through. Rounding errors were multiplied by this.
        var slope = 1.0

        /// The straight colour. Black where the pixel is transparent.
        var straight: SIMD3<Double> { alpha > 0 ? color / alpha : .zero }
    }

    let width: Int
    let height: Int
    var pixels: [Pixel]

    init(width: Int, height: Int, _ pixel: Pixel = Pixel()) {
        self.width = width
        self.height = height
        pixels = [Pixel](repeating: pixel, count: width * height)
    }

    /// - Parameter pixel: straight red, green, blue and alpha, 0...1, for each place.
    init(width: Int, height: Int, _ pixel: (_ x: Int, _ y: Int) -> SIMD4<Double>) {
        self.init(width: width, height: height)
        for y in 0..<height {
            for x in 0..<width {
                let value = pixel(x, y)
                self[x, y] = Pixel(color: SIMD3(value.x, value.y, value.z) * value.w, alpha: value.w)
            }
        }
    }

    init(width: Int, height: Int, color: RGBAColor) {
        self.init(width: width, height: height) { _, _ in
            SIMD4(Double(color.red), Double(color.green), Double(color.blue), Double(color.alpha)) / 255
        }
    }

    subscript(x: Int, y: Int) -> Pixel {
        get { pixels[y * width + x] }
        set { pixels[y * width + x] = newValue }
    }

    /// A part of the picture, in whole pixels.
    func cropped(x: Int, y: Int, width: Int, height: Int) -> ReferencePicture {
        var result = ReferencePicture(width: width, height: height)
        for row in 0..<height {
            for column in 0..<width { result[column, row] = self[x + column, y + row] }
        }
        return result
    }

    /// The picture mirrored left to right and then rotated clockwise.
    func rotated(quarterTurns: Int, mirrored: Bool) -> ReferencePicture {
        var result = self
        if mirrored {
            for y in 0..<height {
                for x in 0..<width { result[x, y] = self[width - 1 - x, y] }
            }
        }
        for _ in 0..<quarterTurns {
            let before = result
            result = ReferencePicture(width: before.height, height: before.width)
            for y in 0..<result.height {
                for x in 0..<result.width { result[x, y] = before[y, before.height - 1 - x] }
            }
        }
        return result
    }

    /// Marks the 2x2 blocks near which coverage or colour changes quickly as sharing a chroma sample.
    /// - Parameters:
    ///   - reach: the distance in pixels at which a change still counts.
    ///   - steepest: the largest change within the reach that is still smooth, as the sources are.
    mutating func markEdges(reach: Int, steepest: Double = 0.3) {
        let before = pixels
        func range(_ blockX: Int, _ blockY: Int) -> (spread: Double, split: Bool, mixed: Bool) {
            var (low, high, split, mixed) = (1.0, 0.0, false, false)
            var (least, most) = (SIMD3<Double>.one, SIMD3<Double>.zero)
            for y in max(0, 2 * blockY - reach)..<min(height, 2 * blockY + 2 + reach) {
                for x in max(0, 2 * blockX - reach)..<min(width, 2 * blockX + 2 + reach) {
                    let pixel = before[y * width + x]
                    (low, high) = (min(low, pixel.alpha), max(high, pixel.alpha))
                    if pixel.alpha > 0.02 {
                        (least, most) = (pointwiseMin(least, pixel.straight), pointwiseMax(most, pixel.straight))
                    }
                    split = split || pixel.isSplit
                    mixed = mixed || pixel.isMixed
                }
            }
            return (max(high - low, (most - least).max()), split, mixed)
        }
        for blockY in 0..<(height + 1) / 2 {
            for blockX in 0..<(width + 1) / 2 {
                let around = range(blockX, blockY)
                for y in 2 * blockY..<min(height, 2 * blockY + 2) {
                    for x in 2 * blockX..<min(width, 2 * blockX + 2) {
                        self[x, y].isSplit = around.split || around.spread > steepest
                        self[x, y].isMixed = around.mixed
                    }
                }
            }
        }
    }
}
