import CFFmpeg
import ExportPlan

/// One plane of a picture with more than 8 bits per sample. Each sample takes 16 bits, little endian. Valid as long as
/// the frame exists.
package struct HighDepthPlane {
    package let base: UnsafeMutablePointer<UInt16>
    /// The distance from one row to the next, in samples.
    package let stride: Int
    /// The size of the plane, in samples.
    package let width: Int
    package let height: Int

    @inlinable package func row(_ y: Int) -> UnsafeMutablePointer<UInt16> { base + y * stride }

    /// The region of the plane inside a rectangle, given in samples of this plane.
    package func part(x: Int, y: Int, width: Int, height: Int) -> HighDepthPlane {
        HighDepthPlane(base: base + y * stride + x, stride: stride, width: width, height: height)
    }
}

extension VideoFrame {
    /// The binary logarithm of the number of luma samples per chroma sample, horizontally and vertically.
    package var chromaShift: (x: Int, y: Int) {
        guard let descriptor = av_pix_fmt_desc_get(pixelFormat) else { return (0, 0) }
        return (Int(descriptor.pointee.log2_chroma_w), Int(descriptor.pointee.log2_chroma_h))
    }

    /// One plane of a picture with more than 8 bits per sample.
    /// - Parameter index: 0 is luma, 1 and 2 are chroma, 3 is alpha.
    package func highDepthPlane(_ index: Int) -> HighDepthPlane {
        let shift = index == 0 || index == 3 ? (x: 0, y: 0) : chromaShift
        guard let data = data(index) else { preconditionFailure("the frame has no plane \(index)") }
        return HighDepthPlane(
            base: UnsafeMutableRawPointer(data).assumingMemoryBound(to: UInt16.self), stride: lineSize(index) / 2,
            width: (size.width + (1 << shift.x) - 1) >> shift.x, height: (size.height + (1 << shift.y) - 1) >> shift.y)
    }
}
