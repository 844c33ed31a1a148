import ExportPlan
import Media

/// Makes and changes whole pictures of 10 bits in three planes of Y'CbCr.
extension VideoFrame {
    /// A black picture of 10 bits in limited range.
    convenience init(black format: Format, _ size: FrameSize) throws(MediaError) {
        try self.init(format, size)
        for index in 0..<3 {
            let plane = highDepthPlane(index)
            for y in 0..<plane.height { plane.row(y).update(repeating: index == 0 ? 64 : 512, count: plane.width) }
        }
    }

    /// A picture of 10 bits mirrored and then rotated clockwise. Returns itself if it is already upright.
    func rotated(_ orientation: Orientation, in format: Format) throws(MediaError) -> VideoFrame {
        guard orientation != .upright else { return self }
        let size = orientation.swapsAxes ? FrameSize(width: size.height, height: size.width) : size
        let result = try VideoFrame(format, size)
        for index in 0..<3 {
            let (from, to) = (highDepthPlane(index), result.highDepthPlane(index))
            turn(
                from.base, stride: from.stride, into: to.base, stride: to.stride, width: to.width, height: to.height, orientation)
        }
        return result
    }

    /// Converts a picture of 10 bits from full range to limited range (ITU-T H.273, equations 20 to 31). libswscale
    /// computes as if the 10-bit range ended at four times 255, which makes white too bright by three code values.
    func limited(in format: Format) throws(MediaError) -> VideoFrame {
        let result = try VideoFrame(format, size)
        let luma = (0..<1024).map { UInt16((64 + 876 * Double($0) / 1023).rounded()) }
        let chroma = (0..<1024).map { UInt16((512 + 896 * Double($0 - 512) / 1023).rounded()) }
        for index in 0..<3 {
            let (from, to) = (highDepthPlane(index), result.highDepthPlane(index))
            (index == 0 ? luma : chroma).withUnsafeBufferPointer { codes in
                for y in 0..<to.height {
                    let (source, target) = (from.row(y), to.row(y))
                    for x in 0..<to.width { target[x] = codes[Int(min(1023, source[x]))] }
                }
            }
        }
        return result
    }
}
