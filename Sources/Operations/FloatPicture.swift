import ExportPlan

/// A whole picture in the work format: four planes of floats. Spatial operations read and make these.
struct FloatPicture {
    let size: FrameSize
    /// Red, green, blue, alpha; rows without gaps.
    var planes: [[Float]]
    /// Whether alpha means anything; if not, spatial operations leave its plane alone.
    var hasAlpha: Bool

    init(_ size: FrameSize, hasAlpha: Bool) {
        self.size = size
        self.hasAlpha = hasAlpha
        planes = [[Float]](repeating: [Float](repeating: 1, count: size.width * size.height), count: 4)
    }

    /// A picture whose colours, and alpha where there is any, come of this one's, plane by plane.
    func mapPlanes(_ body: ([Float]) -> [Float]) -> FloatPicture {
        var result = self
        for index in 0..<(hasAlpha ? 4 : 3) { result.planes[index] = body(planes[index]) }
        return result
    }

    /// Lets `body` change these rows in place, top to bottom.
    mutating func withRows(_ rows: Range<Int>, _ body: (PixelRow) -> Void) {
        let width = size.width
        // Taken apart, because four elements of one array cannot be lent for writing at once.
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

    /// Colours times alpha, so that a mean of several pixels weighs them by how much there is of them.
    mutating func premultiply() {
        guard hasAlpha else { return }
        withRows(0..<size.height) { row in
            for channel in row.colors {
                for x in 0..<row.count { channel[x] *= row.alpha[x] }
            }
        }
    }

    /// Undoes `premultiply`; where alpha is zero the colour stays zero.
    mutating func unpremultiply() {
        guard hasAlpha else { return }
        withRows(0..<size.height) { row in
            for channel in row.colors {
                for x in 0..<row.count { channel[x] = row.alpha[x] > 0 ? channel[x] / row.alpha[x] : 0 }
            }
        }
    }
}
