import ExportPlan
import Media

/// What layers are drawn onto: the film's opaque canvas, or a group's own frame, which begins transparent.
final class Surface {
    let frame: VideoFrame
    /// How much of each place is covered; nil where all of it is.
    var alpha: AlphaPlanes?

    /// A surface on a frame whose contents are, or are about to be, opaque.
    init(opaque frame: VideoFrame) {
        self.frame = frame
    }

    /// An empty surface.
    init(transparent size: FrameSize) throws(MediaError) {
        frame = try VideoFrame(.yuv420, size)
        for (index, value) in [YUVColor.black.y, YUVColor.black.u, YUVColor.black.v].enumerated() {
            let plane = frame.plane(index)
            for y in 0..<plane.height { plane.row(y).update(repeating: value, count: plane.width) }
        }
        alpha = AlphaPlanes(covering: 0, size)
    }

    /// A surface that begins with a picture, which stays as it is: it may be the decoder's own.
    init(copying picture: RasterPicture) throws(MediaError) {
        frame = try VideoFrame(.yuv420, picture.frame.size)
        for plane in 0..<3 { Blend.copy(picture.frame.plane(plane), into: frame.plane(plane)) }
        alpha = picture.alpha
    }

    var size: FrameSize { frame.size }

    /// As a picture to be drawn elsewhere.
    var picture: RasterPicture { RasterPicture(frame: frame, alpha: alpha) }
}

extension AlphaPlanes {
    /// The same everywhere.
    init(covering value: UInt8, _ size: FrameSize) {
        luma = [UInt8](repeating: value, count: size.width * size.height)
        chroma = [UInt8](repeating: value, count: (size.width + 1) / 2 * ((size.height + 1) / 2))
    }

    /// Of plane 0, 1 or 2.
    subscript(plane: Int) -> [UInt8] {
        get { plane == 0 ? luma : chroma }
        set { if plane == 0 { luma = newValue } else { chroma = newValue } }
    }
}
