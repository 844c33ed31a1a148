import ExactTime
import ExportPlan
import Media

/// A picture at its final size in 4:2:0. If it is transparent, it has its alpha at luma and chroma resolution.
struct RasterPicture {
    var frame: VideoFrame
    var alpha: AlphaPlanes? = nil
    /// The RGBA pixels that the picture was made of, for as long as nothing has changed it. Its chroma is made anew
    /// from them when the picture is moved by an odd number of pixels.
    var pixels: PixelPicture? = nil
}

/// A picture of red, green, blue and alpha.
struct PixelPicture {
    var frame: VideoFrame
    /// Whether the colours have been multiplied by alpha and rounded.
    var isPremultiplied: Bool
    /// The full-resolution chroma, which is computed at most once for a picture.
    let chroma = ChromaCache()
}

/// Makes pictures of a layer's destination size from source frames. It chooses the cheapest exact method: the frame
/// itself, scaling alone, scaling and rotation, or the slower methods for wide gamut and for alpha.
final class Rasterizer {
    private let video: VideoFacts
    private let placement: Placement
    private let subject: String
    private let primaries: ColorDescription.Primaries
    private let log: DecisionLog?
    private let scaler: PictureScaler
    /// The destination's size before it is rotated upright.
    private let storedSize: FrameSize
    /// The visible region of the frames in stored (not yet upright) coordinates.
    private let storedRegion: Region
    /// How the source is drawn, where it is a drawing; nil for all other sources.
    let view: DrawnView?
    private lazy var gamutMap = GamutMap(video.color, to: primaries)
    /// Pictures with transparency have their colours converted only where they are SDR.
    private lazy var alphaRasterizer = AlphaRasterizer(
        subject: subject,
        video.color.transfer == .sdr ? PrimariesMap(from: video.color.primaries, to: primaries) : nil)

    /// - Parameters:
    ///   - primaries: the film's.
    ///   - log: records how frames are rasterised.
    init(
        _ video: VideoFacts, _ placement: Placement, subject: String, primaries: ColorDescription.Primaries,
        log: DecisionLog?
    ) {
        self.video = video.shown(in: primaries)
        self.primaries = primaries
        self.placement = placement
        self.subject = subject
        self.log = log
        scaler = PictureScaler(subject: subject)
        let size = placement.destination.size
        storedSize = placement.orientation.swapsAxes ? FrameSize(width: size.height, height: size.width) : size
        let region = placement.region.stored(under: placement.orientation)
        view = DrawnView.showing(region, at: storedSize, of: video)
        storedRegion = view?.region == region ? .whole : region
    }

    func rasterize(_ frame: VideoFrame) throws(MediaError) -> RasterPicture {
        let method = method(of: frame)
        log?.note(
            .reading(
                method: method, storedSize: frame.size, region: placement.region, orientation: placement.orientation,
                size: placement.destination.size))
        let stored: VideoFrame
        switch method {
        case .premultiplied:
            return try alphaRasterizer.rasterize(
                frame, region: storedRegion, color: video.color, size: storedSize, orientation: placement.orientation)
        case .gamutMapped:
            let wide = try scaler.scale(frame, region: storedRegion, color: video.color, to: .yuv444p10, size: storedSize)
            stored = try gamutMap.map(wide)
        case .decoded: stored = frame
        case .scaled, .scaledInOwnColors:
            stored = try scaler.scale(frame, region: storedRegion, color: video.color, to: .yuv420, size: storedSize)
        }
        return RasterPicture(frame: try stored.rotated(placement.orientation))
    }

    private func method(of frame: VideoFrame) -> Explanation.ReadingMethod {
        if video.hasAlpha { return .premultiplied }
        if video.color.needsGamutMapping(to: primaries) { return .gamutMapped }
        let isUntouched = storedRegion == .whole && frame.size == storedSize
        return isUntouched && frame.isYUV420 && video.color.matrix == .bt709 && !video.color.isFullRange ? .decoded : .scaled
    }
}

extension Region {
    /// The same part of the picture in the coordinates in which it is stored. It undoes the rotation, then the
    /// mirroring.
    func stored(under orientation: Orientation) -> Region {
        var region = self
        for _ in 0..<orientation.quarterTurns {
            // A rotation by 90 degrees clockwise moved (x, y) to (1 - y, x).
            region = Region(x: region.y, y: .one - region.x - region.width, width: region.height, height: region.width)
        }
        if orientation.mirrored { region.x = .one - region.x - region.width }
        return region
    }
}
