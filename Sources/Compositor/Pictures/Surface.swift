import ExportPlan
import Media

/// What layers are drawn onto: the film's opaque canvas, or a group's own frame, which is transparent at first.
final class Surface {
    let frame: VideoFrame
    /// The coverage of each sample. Nil if the surface is opaque.
    var alpha: AlphaPlanes?

    /// A surface on a frame whose contents are opaque, or will be once it has been drawn on.
    init(opaque frame: VideoFrame) {
        self.frame = frame
    }

    /// A transparent surface.
    init(transparent size: FrameSize) throws(MediaError) {
        frame = try VideoFrame(.yuv420, size)
        for (index, value) in [YUVColor.black.y, YUVColor.black.u, YUVColor.black.v].enumerated() {
            let plane = frame.plane(index)
            for y in 0..<plane.height { plane.row(y).update(repeating: value, count: plane.width) }
        }
        alpha = AlphaPlanes(covering: 0, size)
    }

    /// A surface that begins with a copy of a picture. The original may be the decoder's own and is not changed.
    init(copying picture: RasterPicture) throws(MediaError) {
        frame = try VideoFrame(.yuv420, picture.frame.size)
        for plane in 0..<3 { Blend.copy(picture.frame.plane(plane), into: frame.plane(plane)) }
        alpha = picture.alpha
    }

    var size: FrameSize { frame.size }

    /// The surface as a picture that can be drawn elsewhere.
    var picture: RasterPicture { RasterPicture(frame: frame, alpha: alpha) }
}

extension AlphaPlanes {
    /// The same coverage everywhere.
    init(covering value: UInt8, _ size: FrameSize) {
        luma = [UInt8](repeating: value, count: size.width * size.height)
        chroma = [UInt8](repeating: value, count: (size.width + 1) / 2 * ((size.height + 1) / 2))
    }

    /// The coverage for plane 0, 1 or 2.
    subscript(plane: Int) -> [UInt8] {
        get { plane == 0 ? luma : chroma }
        set { if plane == 0 { luma = newValue } else { chroma = newValue } }
    }
}
