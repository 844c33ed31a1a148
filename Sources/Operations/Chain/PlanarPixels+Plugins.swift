package import ExportPlan

/// Converts between 4:2:0 pictures and the pixels of generators and mixers: 8-bit red, green, blue and straight alpha,
/// in rows without gaps. The conversions are those of an `OperationChain`, so filters get and give the same colours.
extension PlanarPixels {
    /// The picture's pixels.
    /// - Parameter size: the picture's size.
    package func pluginPixels(_ size: FrameSize) -> [UInt8] {
        let pairs = YUVRowPairs(self, size)
        let stride = 4 * size.width
        var work = FloatPicture(FrameSize(width: size.width, height: 2), hasAlpha: true)
        return [UInt8](unsafeUninitializedCapacity: stride * size.height) { bytes, written in
            written = stride * size.height
            guard let base = bytes.baseAddress else { return }
            for pair in 0..<((size.height + 1) / 2) {
                work.withRowPair(0) { upper, lower in
                    let (upper, lower) = (upper.moved(to: pair * 2), lower.moved(to: min(pair * 2 + 1, size.height - 1)))
                    pairs.unpack(pair, into: upper, lower)
                    for row in [upper, lower] { RowConversion.pack(row, into: base + row.y * stride, step: 4) }
                }
            }
        }
    }

    /// Fills the picture, and its alpha where it has any, from pixels of its size.
    package func fill(fromPluginPixels pixels: [UInt8], _ size: FrameSize) {
        let pairs = YUVRowPairs(self, size)
        let stride = 4 * size.width
        precondition(pixels.count == stride * size.height, "a plug-in's picture has the wanted size")
        var work = FloatPicture(FrameSize(width: size.width, height: 2), hasAlpha: true)
        pixels.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return }
            for pair in 0..<((size.height + 1) / 2) {
                work.withRowPair(0) { upper, lower in
                    let (upper, lower) = (upper.moved(to: pair * 2), lower.moved(to: min(pair * 2 + 1, size.height - 1)))
                    for row in [upper, lower] { RowConversion.unpack(base + row.y * stride, step: 4, into: row) }
                    pairs.pack(pair, upper, lower)
                }
            }
        }
    }
}
