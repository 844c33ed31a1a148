import ExportPlan
import Media

/// The pictures of an instruction in a film that keeps its transparency, in a format with straight alpha that an encoder
/// takes as it is. The four pixels of a chroma sample share it, as when colours are composed: interpolation would tint
/// edges with the colours of what is invisible.
final class TransparentPictures: PictureMaker {
    private let stack: StackPainter
    private let format: VideoFrame.Format
    /// The last picture that was made, and what it was made of.
    private var last: (raster: RasterPicture, picture: VideoFrame)?

    /// - Parameter format: `yuva420`, `yuva444p10`, `rgba` or `bgra`.
    init(_ layers: [Layer], _ format: VideoFrame.Format, _ context: PaintContext) throws(MediaError) {
        var inside = context
        inside.keepsTransparency = true
        stack = try StackPainter(layers, inside)
        self.format = format
    }

    func picture(atFrame index: Int) throws(MediaError) -> VideoFrame {
        let raster = try stack.filmPicture(atFrame: index)
        // A mask that moves gives the same picture another alpha.
        if let last, last.raster.frame === raster.frame, last.raster.alpha == raster.alpha { return last.picture }
        let picture = try raster.converted(to: format)
        last = (raster, picture)
        return picture
    }
}

extension RasterPicture {
    fileprivate func converted(to format: VideoFrame.Format) throws(MediaError) -> VideoFrame {
        let result = try VideoFrame(format, frame.size)
        switch format {
        case .yuva420: copy(into: result)
        case .yuva444p10: widen(into: result)
        case .bgra: fill(result.plane(0), blueFirst: true)
        default: fill(result.plane(0), blueFirst: false)
        }
        return result
    }

    private func copy(into target: VideoFrame) {
        for index in 0..<3 { Blend.copy(frame.plane(index), into: target.plane(index)) }
        let plane = target.plane(3)
        for y in 0..<plane.height {
            for x in 0..<plane.width { plane.row(y)[x] = alpha?.luma[y * plane.width + x] ?? 255 }
        }
    }

    /// Code values of 10 bits are four times those of 8 bits; alpha has its full range in both.
    private func widen(into target: VideoFrame) {
        let (width, height) = (frame.size.width, frame.size.height)
        for index in 0..<4 {
            let plane = target.highDepthPlane(index)
            for y in 0..<height {
                let out = plane.row(y)
                guard index < 3 else {
                    for x in 0..<width {
                        let value = UInt16(alpha?.luma[y * width + x] ?? 255)
                        out[x] = value << 2 | value >> 6
                    }
                    continue
                }
                let row = frame.plane(index).row(index == 0 ? y : y / 2)
                for x in 0..<width { out[x] = UInt16(row[index == 0 ? x : x / 2]) << 2 }
            }
        }
    }

    /// Fills a plane of four bytes a pixel: from the pixels that the picture was made of where nothing has changed them,
    /// and otherwise from Y'CbCr (ITU-R BT.709-6).
    private func fill(_ target: Plane, blueFirst: Bool) {
        let (red, blue) = blueFirst ? (2, 0) : (0, 2)
        for y in 0..<target.height {
            let out = target.row(y)
            for x in 0..<target.width {
                let color: (UInt8, UInt8, UInt8, UInt8)
                if let pixels { color = pixels.straight(x, y) } else { color = self.color(x, y) }
                (out[4 * x + red], out[4 * x + 1], out[4 * x + blue], out[4 * x + 3]) = color
            }
        }
    }

    private func color(_ x: Int, _ y: Int) -> (UInt8, UInt8, UInt8, UInt8) {
        let luma = (Double(frame.plane(0).row(y)[x]) - 16) / 219
        let blue = (Double(frame.plane(1).row(y / 2)[x / 2]) - 128) / 224 * 1.8556
        let red = (Double(frame.plane(2).row(y / 2)[x / 2]) - 128) / 224 * 1.5748
        let green = -(0.2126 * red + 0.0722 * blue) / 0.7152
        func code(_ value: Double) -> UInt8 { UInt8(min(255, max(0, (value * 255).rounded()))) }
        return (
            code(luma + red), code(luma + green), code(luma + blue), alpha?.luma[y * frame.size.width + x] ?? 255
        )
    }
}

extension PixelPicture {
    fileprivate func straight(_ x: Int, _ y: Int) -> (UInt8, UInt8, UInt8, UInt8) {
        let pixel = frame.plane(0).row(y) + 4 * x
        let alpha = pixel[3]
        guard isPremultiplied, alpha > 0 else { return (pixel[0], pixel[1], pixel[2], alpha) }
        func straight(_ value: UInt8) -> UInt8 {
            UInt8(min(255, (Int(value) * 255 + Int(alpha) / 2) / Int(alpha)))
        }
        return (straight(pixel[0]), straight(pixel[1]), straight(pixel[2]), alpha)
    }
}
