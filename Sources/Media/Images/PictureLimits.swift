import ExportPlan

/// The limits of pictures. Files are untrusted: every reader checks the limits before it allocates or decodes.
package enum PictureLimits {
    /// The most pixels per side of any picture.
    package static let side = 16_384
    /// The most pixels of an animation's canvas, of which decoders keep several.
    package static let animationPixels = 1 << 25
    /// The most frames of an animation.
    package static let animationFrames = 20_000
    /// The most pixels that a drawing is enlarged to. Smaller than an animation, because several sizes may be kept.
    package static let drawnPixels = 1 << 24
    /// The most bytes of a picture file that is held in memory.
    package static let fileBytes = 256 << 20

    /// Whether a drawing may be enlarged to this size.
    static func mayEnlarge(to size: FrameSize) -> Bool {
        max(size.width, size.height) <= side && size.width * size.height <= drawnPixels
    }

    /// - Throws: `MediaError` `damaged` if a side is zero, `overLimit` if it is too large.
    static func check(_ size: FrameSize, _ path: String) throws(MediaError) {
        guard size.width > 0, size.height > 0 else {
            throw MediaError(.damaged, subject: path, message: "is damaged: its picture has no size")
        }
        guard max(size.width, size.height) <= side else {
            throw MediaError(.overLimit, subject: path, message: "is \(size) pixels; at most \(side) a side are read")
        }
    }

    /// - Parameter frames: 0 if they have not been counted.
    /// - Throws: as `check`.
    static func checkAnimation(_ size: FrameSize, frames: Int, _ path: String) throws(MediaError) {
        try check(size, path)
        // Both sides are at most `side`: the product cannot overflow.
        guard size.width * size.height <= animationPixels else {
            throw MediaError(
                .overLimit, subject: path,
                message: "is an animation of \(size) pixels; at most \(animationPixels) pixels are read")
        }
        guard frames <= animationFrames else {
            throw MediaError(
                .overLimit, subject: path, message: "has \(frames) frames; animations of at most \(animationFrames) are read")
        }
    }
}
