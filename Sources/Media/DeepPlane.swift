import CFFmpeg
import ExportPlan

/// One plane of a picture of more than 8 bits: samples in 16 bits, little endian. Valid as long as the frame is.
public struct DeepPlane {
    public let base: UnsafeMutablePointer<UInt16>
    /// Samples from row to row.
    public let stride: Int
    /// Samples.
    public let width: Int
    public let height: Int

    public func row(_ y: Int) -> UnsafeMutablePointer<UInt16> { base + y * stride }

    /// The part of the plane inside a rectangle of its own samples.
    public func part(x: Int, y: Int, width: Int, height: Int) -> DeepPlane {
        DeepPlane(base: base + y * stride + x, stride: stride, width: width, height: height)
    }
}

extension VideoFrame {
    /// Samples of luma for one of chroma, across and down, as powers of two.
    public var chromaShift: (x: Int, y: Int) {
        guard let descriptor = av_pix_fmt_desc_get(pixelFormat) else { return (0, 0) }
        return (Int(descriptor.pointee.log2_chroma_w), Int(descriptor.pointee.log2_chroma_h))
    }

    /// One plane of a picture of more than 8 bits.
    /// - Parameter index: 0 is luma, 1 and 2 are chroma.
    public func deepPlane(_ index: Int) -> DeepPlane {
        let shift = index == 0 ? (x: 0, y: 0) : chromaShift
        guard let data = data(index) else { preconditionFailure("the frame has no plane \(index)") }
        return DeepPlane(
            base: UnsafeMutableRawPointer(data).assumingMemoryBound(to: UInt16.self), stride: lineSize(index) / 2,
            width: (size.width + (1 << shift.x) - 1) >> shift.x, height: (size.height + (1 << shift.y) - 1) >> shift.y)
    }
}
