import ExactTime
package import ExportPlan

/// The part of a drawing that is shown, and at which size. Files that are drawn and not decoded (`VideoFacts.isDrawing`)
/// are made for it, so that they are sharp at every size.
package struct DrawnView: Hashable, Sendable {
    /// The part, in fractions of the whole.
    package var region: Region
    /// The size of that part in pixels.
    package var size: FrameSize

    package init(region: Region = .whole, size: FrameSize) {
        self.region = region
        self.size = size
    }

    /// How a source is drawn of which a region is shown at a size.
    /// - Returns: nil for a source that is no drawing, and for sizes that are not drawn: then it has its own size.
    package static func showing(_ region: Region, at size: FrameSize, of video: VideoFacts) -> DrawnView? {
        guard video.isDrawing else { return nil }
        if video.codec == LottiePictures.codec { return .enlarging(video.size, by: region, at: size) }
        guard PictureLimits.mayEnlarge(to: size) else { return nil }
        return DrawnView(region: region, size: size)
    }

    /// The whole, an integer number of times as large as it is by itself: the fewest times with which a region has at least
    /// the pixels that are wanted. rlottie draws no parts, and keeps the aspect ratio; what this view has too many of, the
    /// compositor's scaling takes away.
    /// - Returns: nil where that is once.
    private static func enlarging(_ own: FrameSize, by region: Region, at size: FrameSize) -> DrawnView? {
        func times(_ wanted: Int, _ share: Rational, _ length: Int) -> Int {
            max(1, (Rational(wanted) / (share * Rational(length))).ceil)
        }
        guard region.width > .zero, region.height > .zero else { return nil }
        var factor = max(times(size.width, region.width, own.width), times(size.height, region.height, own.height))
        func enlarged() -> FrameSize { FrameSize(width: own.width * factor, height: own.height * factor) }
        while factor > 1, !PictureLimits.mayEnlarge(to: enlarged()) { factor -= 1 }
        return factor > 1 ? DrawnView(size: enlarged()) : nil
    }

    /// How many times as many samples a picture is drawn with on each side.
    /// - Parameters:
    ///   - size: the picture's own size.
    ///   - scale: how many are wanted. It is rounded up to a power of two, and down to what may be drawn.
    package static func density(of size: FrameSize, atLeast scale: Double) -> Int {
        var factor = 1
        while Double(factor) < scale,
            PictureLimits.mayEnlarge(to: FrameSize(width: size.width * factor * 2, height: size.height * factor * 2))
        {
            factor *= 2
        }
        return factor
    }
}
