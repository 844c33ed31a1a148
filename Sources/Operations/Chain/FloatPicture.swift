import ExportPlan

/// A whole picture in the work format: four planes of floats. Spatial operations read and return such pictures.
struct FloatPicture {
    let size: FrameSize
    /// Red, green, blue and alpha, in rows without gaps.
    var planes: [[Float]]
    /// Whether the alpha plane is in use. If not, spatial operations leave it unchanged.
    var hasAlpha: Bool

    init(_ size: FrameSize, hasAlpha: Bool) {
        self.size = size
        self.hasAlpha = hasAlpha
        planes = [[Float]](repeating: [Float](repeating: 1, count: size.width * size.height), count: 4)
    }

    /// The picture whose colour planes, and alpha plane if it is in use, are made from this picture's planes by `body`.
    func mapPlanes(_ body: ([Float]) -> [Float]) -> FloatPicture {
        var result = self
        for index in 0..<(hasAlpha ? 4 : 3) { result.planes[index] = body(planes[index]) }
        return result
    }

    /// Lets `body` change these rows in place, top to bottom.
    mutating func withRows(_ rows: Range<Int>, _ body: (PixelRow) -> Void) {
        let width = size.width
        // The planes are taken apart because four elements of one array cannot be borrowed for writing at the same
        // time.
        var (reds, greens, blues, alphas) = (planes[0], planes[1], planes[2], planes[3])
        planes = []
        reds.withUnsafeMutableBufferPointer { red in
            greens.withUnsafeMutableBufferPointer { green in
                blues.withUnsafeMutableBufferPointer { blue in
                    alphas.withUnsafeMutableBufferPointer { alpha in
                        guard let red = red.baseAddress, let green = green.baseAddress, let blue = blue.baseAddress,
                            let alpha = alpha.baseAddress
                        else { return }
                        for y in rows {
                            let start = y * width
                            body(
                                PixelRow(
                                    red: red + start, green: green + start, blue: blue + start, alpha: alpha + start,
                                    count: width, y: y))
                        }
                    }
                }
            }
        }
        planes = [reds, greens, blues, alphas]
    }

    /// Multiplies colours by alpha, so that a mean of several pixels weighs each pixel by its coverage.
    mutating func premultiply() {
        guard hasAlpha else { return }
        withRows(0..<size.height) { row in
            for channel in row.colors {
                for x in 0..<row.count { channel[x] *= row.alpha[x] }
            }
        }
    }

    /// Undoes `premultiply`. Where alpha is zero the colour becomes zero.
    mutating func unpremultiply() {
        guard hasAlpha else { return }
        withRows(0..<size.height) { row in
            for channel in row.colors {
                for x in 0..<row.count { channel[x] = row.alpha[x] > 0 ? channel[x] / row.alpha[x] : 0 }
            }
        }
    }
}
