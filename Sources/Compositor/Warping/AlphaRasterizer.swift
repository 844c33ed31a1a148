import ExportPlan
import ExactTime
import Media

/// The coverage of each sample, 0...255, at luma and at chroma resolution. Rows are as wide as the picture, without
/// padding.
struct AlphaPlanes: Equatable {
    var luma: [UInt8]
    var chroma: [UInt8]
}

/// Rasterises pictures with transparency. They are scaled premultiplied, so that invisible pixels lend no colour to the
/// edges, and chroma is averaged weighted by coverage.
final class AlphaRasterizer {
    private let unpack: PictureScaler
    private let scaler: PictureScaler
    private let primaries: PrimariesMap?

    /// - Parameter primaries: converts the pictures' colours to the film's; nil where they are the same.
    init(subject: String, _ primaries: PrimariesMap?) {
        self.primaries = primaries
        unpack = PictureScaler(subject: subject)
        scaler = PictureScaler(subject: subject)
    }

    func rasterize(
        _ frame: VideoFrame, region: Region, color: ColorDescription, size: FrameSize, orientation: Orientation
    ) throws(MediaError) -> RasterPicture {
        let full = try unpack.scale(frame, region: .whole, color: color, to: .rgba, size: frame.size)
        primaries?.map(full, isPremultiplied: false)
        // A picture that keeps its size is not premultiplied: that would only round its colours.
        if region == .whole, size == frame.size {
            return try PixelPicture(frame: try upright(full, orientation), isPremultiplied: false).split()
        }
        premultiply(full)
        let rgb = ColorDescription(matrix: .rgb, primaries: .bt709, transfer: .sdr, isFullRange: true)
        let scaled = try scaler.scale(full, region: region, color: rgb, to: .rgba, size: size)
        return try PixelPicture(frame: try upright(scaled, orientation), isPremultiplied: true).split()
    }

    private func premultiply(_ frame: VideoFrame) {
        let plane = frame.plane(0)
        for y in 0..<plane.height {
            let row = plane.row(y)
            for x in 0..<plane.width {
                let alpha = UInt32(row[4 * x + 3])
                for channel in 0..<3 {
                    row[4 * x + channel] = UInt8(truncatingIfNeeded: (UInt32(row[4 * x + channel]) * alpha + 127) / 255)
                }
            }
        }
    }

    private func upright(_ frame: VideoFrame, _ orientation: Orientation) throws(MediaError) -> VideoFrame {
        guard orientation != .upright else { return frame }
        let size = orientation.swapsAxes ? FrameSize(width: frame.size.height, height: frame.size.width) : frame.size
        let result = try VideoFrame(.rgba, size)
        let source = frame.plane(0)
        let target = result.plane(0)
        source.base.withMemoryRebound(to: UInt32.self, capacity: source.stride / 4 * source.height) { from in
            target.base.withMemoryRebound(to: UInt32.self, capacity: target.stride / 4 * target.height) { to in
                turn(
                    from, stride: source.stride / 4, into: to, stride: target.stride / 4, width: size.width,
                    height: size.height, orientation)
            }
        }
        return result
    }

}

extension PixelPicture {
    /// The picture as straight Y'CbCr 4:2:0 with coverage (BT.709, limited range).
    func split() throws(MediaError) -> RasterPicture {
        let rgba = self.frame
        let (width, height) = (rgba.size.width, rgba.size.height)
        let frame = try VideoFrame(.yuv420, rgba.size)
        let (luma, blue, red) = (frame.plane(0), frame.plane(1), frame.plane(2))
        var alpha = AlphaPlanes(
            luma: [UInt8](repeating: 0, count: width * height),
            chroma: [UInt8](repeating: 0, count: blue.width * blue.height))
        let plane = rgba.plane(0)
        let one = isPremultiplied ? 1 : 255
        for cy in 0..<blue.height {
            for cx in 0..<blue.width {
                var (sumR, sumG, sumB, sumA) = (0, 0, 0, 0)
                var pixels = 0
                for y in (2 * cy)..<min(2 * cy + 2, height) {
                    for x in (2 * cx)..<min(2 * cx + 2, width) {
                        let pixel = plane.row(y) + 4 * x
                        // Straight colours are multiplied without rounding, so all four numbers are 255 times as large.
                        let factor = isPremultiplied ? 1 : Int(pixel[3])
                        let (r, g, b) = (Int(pixel[0]) * factor, Int(pixel[1]) * factor, Int(pixel[2]) * factor)
                        let a = Int(pixel[3]) * one
                        alpha.luma[y * width + x] = pixel[3]
                        luma.row(y)[x] = YUVColor(premultiplied: r, g, b, a).y
                        sumR += r
                        sumG += g
                        sumB += b
                        sumA += a
                        pixels += one
                    }
                }
                let mean = YUVColor(premultiplied: sumR, sumG, sumB, sumA)
                blue.row(cy)[cx] = mean.u
                red.row(cy)[cx] = mean.v
                alpha.chroma[cy * blue.width + cx] = UInt8((sumA + pixels / 2) / pixels)
            }
        }
        return RasterPicture(frame: frame, alpha: alpha, pixels: self)
    }
}

extension YUVColor {
    /// The straight colour of a pixel.
    init(_ pixel: UnsafePointer<UInt8>, isPremultiplied: Bool) {
        let alpha = Int(pixel[3])
        let factor = isPremultiplied ? 1 : alpha
        self.init(
            premultiplied: Int(pixel[0]) * factor, Int(pixel[1]) * factor, Int(pixel[2]) * factor,
            alpha * (isPremultiplied ? 1 : 255))
    }

    /// The straight colour of sums of premultiplied values. Black where nothing is covered.
    fileprivate init(premultiplied r: Int, _ g: Int, _ b: Int, _ a: Int) {
        guard a > 0 else {
            self = .black
            return
        }
        func straight(_ value: Int) -> UInt8 { UInt8(min(255, (value * 255 + a / 2) / a)) }
        self.init(RGBAColor(red: straight(r), green: straight(g), blue: straight(b), alpha: 255))
    }
}
