import ExportPlan

/// Converts between 8-bit BT.709 limited-range 4:2:0 and the work format, two rows at a time (ITU-R BT.709-6, items 3.2
/// to 3.5). Colours outside of 0...1, which limited range can hold, are kept on input.
struct YUVRowPairs {
    private let pixels: PlanarPixels
    private let size: FrameSize

    init(_ pixels: PlanarPixels, _ size: FrameSize) {
        self.pixels = pixels
        self.size = size
    }

    func unpack(_ pair: Int, into upper: PixelRow, _ lower: PixelRow) {
        for row in [upper, lower] {
            let cb = pixels.cb.base + pair * pixels.cb.stride
            let cr = pixels.cr.base + pair * pixels.cr.stride
            let luma = pixels.y.base + row.y * pixels.y.stride
            // Chroma comes first, each sample for two pixels. The blue and red buffers hold it until the next loop.
            for x in 0..<(row.count / 2) {
                let (b, r) = ((Float(cb[x]) - 128) / 224, (Float(cr[x]) - 128) / 224)
                row.blue[2 &* x] = b
                row.blue[2 &* x &+ 1] = b
                row.red[2 &* x] = r
                row.red[2 &* x &+ 1] = r
            }
            if row.count % 2 == 1 {
                row.blue[row.count - 1] = (Float(cb[row.count / 2]) - 128) / 224
                row.red[row.count - 1] = (Float(cr[row.count / 2]) - 128) / 224
            }
            for x in 0..<row.count {
                let (y, b, r) = ((Float(luma[x]) - 16) / 219, row.blue[x], row.red[x])
                row.red[x] = y + 1.5748 * r
                row.blue[x] = y + 1.8556 * b
                row.green[x] = y - (0.2126 * 1.5748 / 0.7152) * r - (0.0722 * 1.8556 / 0.7152) * b
            }
            if let plane = pixels.alpha {
                let alpha = plane.base + row.y * plane.stride
                for x in 0..<row.count { row.alpha[x] = Float(alpha[x]) / 255 }
            } else {
                for x in 0..<row.count { row.alpha[x] = 1 }
            }
        }
    }

    /// Limits colours to 0...1 and stores them. The rows' buffers are overwritten in the process.
    func pack(_ pair: Int, _ upper: PixelRow, _ lower: PixelRow) {
        let isOneRow = upper.red == lower.red
        for row in isOneRow ? [upper] : [upper, lower] {
            let luma = pixels.y.base + row.y * pixels.y.stride
            for x in 0..<row.count {
                let (r, g, b) = (unit(row.red[x]), unit(row.green[x]), unit(row.blue[x]))
                let y = 0.2126 * r + 0.7152 * g + 0.0722 * b
                luma[x] = RowConversion.byte(16 + 219 * y)
                row.blue[x] = (b - y) * (224 / 1.8556)
                row.red[x] = (r - y) * (224 / 1.5748)
            }
            if let plane = pixels.alpha {
                let alpha = plane.base + row.y * plane.stride
                for x in 0..<row.count { alpha[x] = RowConversion.byte(row.alpha[x] * 255) }
            }
        }
        let (cb, cr) = (pixels.cb.base + pair * pixels.cb.stride, pixels.cr.base + pair * pixels.cr.stride)
        if pixels.alpha == nil {
            store(upper.blue, lower.blue, cb)
            store(upper.red, lower.red, cr)
        } else {
            storeByAlpha(upper, lower, cb, cr)
        }
    }

    /// Weighs pixels by their alpha, so that invisible pixels lend no colour to the edge.
    private func storeByAlpha(
        _ upper: PixelRow, _ lower: PixelRow, _ cb: UnsafeMutablePointer<UInt8>, _ cr: UnsafeMutablePointer<UInt8>
    ) {
        for x in 0..<((size.width + 1) / 2) {
            let (left, right) = (2 * x, min(2 * x + 1, size.width - 1))
            // The small constant gives all pixels the same weight where everything is invisible.
            let (a, b) = (upper.alpha[left] + 1e-6, upper.alpha[right] + 1e-6)
            let (c, d) = (lower.alpha[left] + 1e-6, lower.alpha[right] + 1e-6)
            func mean(_ upper: UnsafeMutablePointer<Float>, _ lower: UnsafeMutablePointer<Float>) -> Float {
                (upper[left] * a + upper[right] * b + lower[left] * c + lower[right] * d) / (a + b + c + d)
            }
            cb[x] = RowConversion.byte(128 + mean(upper.blue, lower.blue))
            cr[x] = RowConversion.byte(128 + mean(upper.red, lower.red))
        }
    }

    private func store(
        _ upper: UnsafeMutablePointer<Float>, _ lower: UnsafeMutablePointer<Float>, _ chroma: UnsafeMutablePointer<UInt8>
    ) {
        for x in 0..<(size.width / 2) {
            let (left, right) = (2 &* x, 2 &* x &+ 1)
            chroma[x] = RowConversion.byte(128 + (upper[left] + upper[right] + lower[left] + lower[right]) * 0.25)
        }
        if size.width % 2 == 1 {
            let last = size.width - 1
            chroma[last / 2] = RowConversion.byte(128 + (upper[last] + lower[last]) * 0.5)
        }
    }
}
