import ExportPlan

/// What pictures may be at most. Files come from strangers: every reader asks before it allocates or decodes.
enum PictureLimits {
    /// Pixels a side, of any picture.
    static let side = 16_384
    /// Pixels of an animation's canvas, of which decoders keep several.
    static let animationPixels = 1 << 25
    /// Frames of an animation.
    static let animationFrames = 20_000
    /// Bytes of a picture file that is held in memory.
    static let fileBytes = 256 << 20

    /// - Throws: `MediaError` `damaged` without a size, `overLimit` where it is too large.
    static func check(_ size: FrameSize, _ path: String) throws(MediaError) {
        guard size.width > 0, size.height > 0 else {
            throw MediaError(.damaged, subject: path, message: "is damaged: its picture has no size")
        }
        guard max(size.width, size.height) <= side else {
            throw MediaError(.overLimit, subject: path, message: "is \(size) pixels; at most \(side) a side are read")
        }
    }

    /// - Parameter frames: 0 where they have not been counted.
    /// - Throws: as `check`.
    static func checkAnimation(_ size: FrameSize, frames: Int, _ path: String) throws(MediaError) {
        try check(size, path)
        // Both sides are at most `side`: the product cannot overflow.
        guard size.width * size.height <= animationPixels else {
            throw MediaError(
                .overLimit, subject: path,
                message: "is an animation of \(size) pixels; at most \(animationPixels >> 20) million are read")
        }
        guard frames <= animationFrames else {
            throw MediaError(
                .overLimit, subject: path, message: "has \(frames) frames; animations of at most \(animationFrames) are read")
        }
    }
}
