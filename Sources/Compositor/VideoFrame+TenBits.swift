import ExportPlan
import Media

/// Pictures of 10 bits, three planes of Y'CbCr, made and changed as a whole.
extension VideoFrame {
    /// A black picture of 10 bits in limited range.
    convenience init(black format: Format, _ size: FrameSize) throws(MediaError) {
        try self.init(format, size)
        for index in 0..<3 {
            let plane = deepPlane(index)
            for y in 0..<plane.height { plane.row(y).update(repeating: index == 0 ? 64 : 512, count: plane.width) }
        }
    }

    /// A picture of 10 bits mirrored (first) and turned clockwise; itself when it already stands upright.
    func turned(_ orientation: Orientation, in format: Format) throws(MediaError) -> VideoFrame {
        guard orientation != .upright else { return self }
        let size = orientation.swapsAxes ? FrameSize(width: size.height, height: size.width) : size
        let result = try VideoFrame(format, size)
        for index in 0..<3 {
            let (from, to) = (deepPlane(index), result.deepPlane(index))
            turn(
                from.base, stride: from.stride, into: to.base, stride: to.stride, width: to.width, height: to.height, orientation)
        }
        return result
    }

    /// A picture of 10 bits in full range as one in limited range (ITU-T H.273, equations 20 to 31). libswscale counts as if 10 bits
    /// ended at four times 255, which makes white too bright by three code values.
    func limited(in format: Format) throws(MediaError) -> VideoFrame {
        let result = try VideoFrame(format, size)
        let luma = (0..<1024).map { UInt16((64 + 876 * Double($0) / 1023).rounded()) }
        let chroma = (0..<1024).map { UInt16((512 + 896 * Double($0 - 512) / 1023).rounded()) }
        for index in 0..<3 {
            let (from, to) = (deepPlane(index), result.deepPlane(index))
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
