/// One row of pixels in the work format: gamma-encoded red, green and blue, and straight alpha, as floats that are
/// nominally 0...1. Each channel has its own buffer. Colours outside of 0...1 are kept until an operation limits them.
struct PixelRow {
    let red: UnsafeMutablePointer<Float>
    let green: UnsafeMutablePointer<Float>
    let blue: UnsafeMutablePointer<Float>
    let alpha: UnsafeMutablePointer<Float>
    /// The number of pixels. The first one is at x = 0.
    let count: Int
    /// The row's position in the picture, from the top.
    let y: Int

    var colors: [UnsafeMutablePointer<Float>] { [red, green, blue] }

    /// Replaces every pixel's colour.
    @inline(__always)
    func mapColors(_ body: (_ red: Float, _ green: Float, _ blue: Float) -> (Float, Float, Float)) {
        for x in 0..<count { (red[x], green[x], blue[x]) = body(red[x], green[x], blue[x]) }
    }

    /// Replaces every channel's value, in the same method for all three channels.
    @inline(__always)
    func mapChannels(_ body: (Float) -> Float) {
        for channel in colors {
            for x in 0..<count { channel[x] = body(channel[x]) }
        }
    }

    /// Replaces every pixel's colour by one that also depends on its x position.
    @inline(__always)
    func mapColors(_ body: (_ x: Int, _ red: Float, _ green: Float, _ blue: Float) -> (Float, Float, Float)) {
        for x in 0..<count { (red[x], green[x], blue[x]) = body(x, red[x], green[x], blue[x]) }
    }
}

/// `value` limited to 0...1. NaN becomes 1.
@inline(__always)
func unit(_ value: Float) -> Float { max(0, min(1, value)) }
