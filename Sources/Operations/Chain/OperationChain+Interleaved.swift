import ExportPlan

/// 8-bit pixels of full-range red, green, blue and optional straight alpha, in memory that the caller owns.
package struct InterleavedPixels {
    let base: UnsafeMutablePointer<UInt8>
    let stride: Int
    let channels: Int

    /// - Parameters:
    ///   - stride: bytes from row to row.
    ///   - channels: 3 (RGB) or 4 (RGBA).
    package init(base: UnsafeMutablePointer<UInt8>, stride: Int, channels: Int) {
        precondition(channels == 3 || channels == 4, "pixels have three or four channels")
        self.base = base
        self.stride = stride
        self.channels = channels
    }
}

extension OperationChain {
    /// Runs the chain in place on a picture of the chain's size.
    package func run(on pixels: InterleavedPixels) {
        guard !isIdentity else { return }
        let rows = isPixelwise ? 1 : size.height
        var work = FloatPicture(FrameSize(width: size.width, height: rows), hasAlpha: pixels.channels == 4)
        if isPixelwise {
            for y in 0..<size.height {
                let bytes = pixels.base + y * pixels.stride
                work.withRows(0..<1) { line in
                    let row = line.moved(to: y)
                    RowConversion.unpack(bytes, step: pixels.channels, into: row)
                    run(on: row)
                    RowConversion.pack(row, into: bytes, step: pixels.channels)
                }
            }
        } else {
            work.withRows(0..<rows) { row in
                RowConversion.unpack(pixels.base + row.y * pixels.stride, step: pixels.channels, into: row)
            }
            run(on: &work)
            work.withRows(0..<rows) { row in
                RowConversion.pack(row, into: pixels.base + row.y * pixels.stride, step: pixels.channels)
            }
        }
    }
}

extension PixelRow {
    /// The same buffers for another row number.
    func moved(to y: Int) -> PixelRow {
        PixelRow(red: red, green: green, blue: blue, alpha: alpha, count: count, y: y)
    }
}
