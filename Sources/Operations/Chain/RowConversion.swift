/// Converts between 8-bit code values and the work format, one row at a time, in straight loops that the compiler
/// vectorises.
enum RowConversion {
    /// `value` limited to 0...`most` (at most 255) and rounded to the nearest integer. Adding 2^23 leaves the integer
    /// in the lowest bits. Swift's conversion checks for overflow and cannot be done in one vector instruction.
    @inline(__always)
    static func byte(_ value: Float, most: Float = 255) -> UInt8 {
        UInt8(truncatingIfNeeded: (max(0, min(most, value)) + 8_388_608).bitPattern)
    }

    /// - Parameter step: bytes from pixel to pixel. If it is 4, the fourth byte is alpha.
    static func unpack(_ bytes: UnsafePointer<UInt8>, step: Int, into row: PixelRow) {
        for x in 0..<row.count {
            row.red[x] = Float(bytes[x &* step]) / 255
            row.green[x] = Float(bytes[x &* step &+ 1]) / 255
            row.blue[x] = Float(bytes[x &* step &+ 2]) / 255
        }
        for x in 0..<row.count { row.alpha[x] = step == 4 ? Float(bytes[x &* 4 &+ 3]) / 255 : 1 }
    }

    /// The inverse of `unpack`.
    static func pack(_ row: PixelRow, into bytes: UnsafeMutablePointer<UInt8>, step: Int) {
        for x in 0..<row.count {
            bytes[x &* step] = byte(row.red[x] * 255)
            bytes[x &* step &+ 1] = byte(row.green[x] * 255)
            bytes[x &* step &+ 2] = byte(row.blue[x] * 255)
        }
        if step == 4 {
            for x in 0..<row.count { bytes[x &* 4 &+ 3] = byte(row.alpha[x] * 255) }
        }
    }
}
