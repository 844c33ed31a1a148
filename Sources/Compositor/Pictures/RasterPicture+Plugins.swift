import ExportPlan
import Media
import Operations

/// The pixels that generators and mixers give and take: 8-bit red, green, blue and straight alpha, in rows without gaps.
extension RasterPicture {
    /// The picture's pixels; alpha is 255 where it has none.
    func pluginPixels() -> [UInt8] {
        guard var luma = alpha?.luma else { return PlanarPixels(frame, alpha: nil).pluginPixels(frame.size) }
        return luma.withUnsafeMutableBufferPointer { alpha in
            let plane = alpha.baseAddress.map { PlanarPixels.Plane(base: $0, stride: frame.size.width) }
            return PlanarPixels(frame, alpha: plane).pluginPixels(frame.size)
        }
    }

    /// - Parameter isOpaque: whether the picture is opaque whatever alpha the pixels have.
    init(pluginPixels pixels: [UInt8], _ size: FrameSize, isOpaque: Bool = false) throws(MediaError) {
        guard isOpaque || stride(from: 3, to: pixels.count, by: 4).allSatisfy({ pixels[$0] == 255 }) else {
            let frame = try VideoFrame(.rgba, size)
            let plane = frame.plane(0)
            pixels.withUnsafeBufferPointer { pixels in
                guard let base = pixels.baseAddress else { return }
                for y in 0..<plane.height { plane.row(y).update(from: base + 4 * size.width * y, count: 4 * size.width) }
            }
            self = try PixelPicture(frame: frame, isPremultiplied: false).split()
            return
        }
        let frame = try VideoFrame(.yuv420, size)
        PlanarPixels(frame, alpha: nil).fill(fromPluginPixels: pixels, size)
        self.init(frame: frame)
    }
}

extension PlanarPixels {
    fileprivate init(_ frame: VideoFrame, alpha: Plane?) {
        func plane(_ index: Int) -> Plane { Plane(base: frame.plane(index).base, stride: frame.plane(index).stride) }
        self.init(y: plane(0), cb: plane(1), cr: plane(2), alpha: alpha)
    }
}
