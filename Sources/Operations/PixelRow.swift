/// One row of pixels in the work format: gamma-encoded red, green and blue and straight alpha as floats, nominally 0...1
/// (colours outside survive until something limits them), each in a buffer of its own.
struct PixelRow {
    let red: UnsafeMutablePointer<Float>
    let green: UnsafeMutablePointer<Float>
    let blue: UnsafeMutablePointer<Float>
    let alpha: UnsafeMutablePointer<Float>
    /// Pixels; the first is at x = 0.
    let count: Int
    /// Of the row in the picture, from the top.
    let y: Int

    var colors: [UnsafeMutablePointer<Float>] { [red, green, blue] }

    /// Replaces every pixel's colour.
    @inline(__always)
    func mapColors(_ body: (_ red: Float, _ green: Float, _ blue: Float) -> (Float, Float, Float)) {
        for x in 0..<count { (red[x], green[x], blue[x]) = body(red[x], green[x], blue[x]) }
    }

    /// Replaces every channel's value, the same way in all three.
    @inline(__always)
    func mapChannels(_ body: (Float) -> Float) {
        for channel in colors {
            for x in 0..<count { channel[x] = body(channel[x]) }
        }
    }

    /// Replaces every pixel's colour by one that also depends on where it is.
    @inline(__always)
    func mapColors(_ body: (_ x: Int, _ red: Float, _ green: Float, _ blue: Float) -> (Float, Float, Float)) {
        for x in 0..<count { (red[x], green[x], blue[x]) = body(x, red[x], green[x], blue[x]) }
    }
}

/// `value` limited to 0...1; what is not a number becomes 1.
@inline(__always)
func unit(_ value: Float) -> Float { max(0, min(1, value)) }
