package import ExportPlan

/// The pixels of libraries that draw: native-endian words 0xAARRGGBB, whose colours are multiplied by alpha.
package enum PremultipliedPixels {
    /// The same pixels as red, green, blue and alpha with colours that are not multiplied, rounded as cairo's PNG writer
    /// does; rows without gaps.
    /// - Parameter stride: the distance in bytes from one row to the next.
    package static func straight(_ words: UnsafeRawBufferPointer, stride: Int, _ size: FrameSize) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: size.width * size.height * 4) { result, count in
            count = result.count
            guard let base = words.baseAddress else { return result.update(repeating: 0) }
            for y in 0..<size.height {
                let row = base + y * stride
                for x in 0..<size.width {
                    let word = row.load(fromByteOffset: 4 * x, as: UInt32.self)
                    let alpha = word >> 24
                    let place = (y * size.width + x) * 4
                    for channel in 0..<3 {
                        let value = word >> UInt32(16 - 8 * channel) & 0xFF
                        result[place + channel] = alpha == 0 ? 0 : UInt8(min(255, (value * 255 + alpha / 2) / alpha))
                    }
                    result[place + 3] = UInt8(alpha)
                }
            }
        }
    }
}
