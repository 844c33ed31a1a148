import ExportPlan

/// An 8-bit 4:2:0 picture in BT.709 limited range, in memory that the caller owns.
package struct PlanarPixels {
    /// One plane: its first byte and the bytes from row to row.
    package struct Plane {
        let base: UnsafeMutablePointer<UInt8>
        let stride: Int

        package init(base: UnsafeMutablePointer<UInt8>, stride: Int) {
            self.base = base
            self.stride = stride
        }
    }

    let y: Plane
    let cb: Plane
    let cr: Plane
    /// Full-range alpha at the size of `y`. Nil if the picture is opaque.
    let alpha: Plane?

    package init(y: Plane, cb: Plane, cr: Plane, alpha: Plane? = nil) {
        self.y = y
        self.cb = cb
        self.cr = cr
        self.alpha = alpha
    }
}

extension OperationChain {
    /// Runs the chain in place on a picture of the chain's size. On input, each chroma sample is used for all of its
    /// four pixels. On output, it is the mean of their results.
    package func run(on pixels: PlanarPixels) {
        let pairs = YUVRowPairs(pixels, size)
        switch space(hasAlpha: pixels.alpha != nil) {
        case .untouched: break
        case .planes: for case .gaussian(let deviation) in passes { blur(pixels, deviation) }
        case .rowsOfRGB:
            var work = FloatPicture(FrameSize(width: size.width, height: 2), hasAlpha: pixels.alpha != nil)
            for pair in 0..<((size.height + 1) / 2) {
                work.withRowPair(0) { upper, lower in
                    let (upper, lower) = (upper.moved(to: pair * 2), lower.moved(to: min(pair * 2 + 1, size.height - 1)))
                    pairs.unpack(pair, into: upper, lower)
                    run(on: upper)
                    run(on: lower)
                    pairs.pack(pair, upper, lower)
                }
            }
        case .pictureOfRGB:
            var work = FloatPicture(size, hasAlpha: pixels.alpha != nil)
            for pair in 0..<((size.height + 1) / 2) {
                work.withRowPair(pair) { pairs.unpack(pair, into: $0, $1) }
            }
            run(on: &work)
            for pair in 0..<((size.height + 1) / 2) {
                work.withRowPair(pair) { pairs.pack(pair, $0, $1) }
            }
        }
    }

    /// Blurs an opaque picture plane by plane. Values that limited range holds beyond 0...1 are kept.
    private func blur(_ pixels: PlanarPixels, _ deviation: Double) {
        PlaneBlur(deviation: deviation).blur(pixels.y, into: pixels.y, width: size.width, height: size.height)
        let chroma = PlaneBlur(deviation: deviation, isChroma: true)
        let (width, height) = ((size.width + 1) / 2, (size.height + 1) / 2)
        for plane in [pixels.cb, pixels.cr] { chroma.blur(plane, into: plane, width: width, height: height) }
    }
}

extension FloatPicture {
    /// Calls `body` with the two rows of a chroma row. If the height is odd, the last pair is the last row twice.
    mutating func withRowPair(_ pair: Int, _ body: (_ upper: PixelRow, _ lower: PixelRow) -> Void) {
        let second = min(pair * 2 + 1, size.height - 1)
        let width = size.width
        withRows((pair * 2)..<(pair * 2 + 1)) { upper in
            let step = (second - pair * 2) * width
            let lower = PixelRow(
                red: upper.red + step, green: upper.green + step, blue: upper.blue + step, alpha: upper.alpha + step,
                count: width, y: second)
            body(upper, lower)
        }
    }
}
