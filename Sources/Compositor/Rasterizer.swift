import ExactTime
import ExportPlan
import Media

/// A picture at its final size: 4:2:0, and where it has transparency its alpha at both resolutions.
struct RasterPicture {
    var frame: VideoFrame
    var alpha: AlphaPlanes? = nil
    /// What it was made of, as long as nothing has changed it: moved by an odd number of pixels its chroma is made anew.
    var pixels: PixelPicture? = nil
}

/// Red, green, blue and alpha.
struct PixelPicture {
    var frame: VideoFrame
    /// Whether the colours have been multiplied by alpha, and rounded.
    var isPremultiplied: Bool
    /// Of a picture that moves it is made once.
    let chroma = ChromaOnDemand()
}

/// Turns source frames into pictures of a layer's destination size. Chooses the cheapest way that is exact: the frame
/// itself, the scaler alone, scaler and turn, or the longer ways for wide gamut and for alpha.
final class Rasterizer {
    private let video: VideoFacts
    private let placement: Placement
    private let subject: String
    private let scaler: PictureScaler
    /// The destination's size before it is turned upright.
    private let storedSize: FrameSize
    /// The seen part in stored (not yet upright) coordinates.
    private let storedRegion: Region
    private lazy var gamutMap = GamutMap(video.color)
    private lazy var alphaRasterizer = AlphaRasterizer(subject: subject)

    init(_ video: VideoFacts, _ placement: Placement, subject: String) {
        self.video = video
        self.placement = placement
        self.subject = subject
        scaler = PictureScaler(subject: subject)
        let size = placement.destination.size
        storedSize = placement.orientation.swapsAxes ? FrameSize(width: size.height, height: size.width) : size
        storedRegion = placement.region.stored(under: placement.orientation)
    }

    func rasterize(_ frame: VideoFrame) throws(MediaError) -> RasterPicture {
        let stored: VideoFrame
        switch way(of: frame) {
        case .premultiplied:
            return try alphaRasterizer.rasterize(
                frame, region: storedRegion, color: video.color, size: storedSize, orientation: placement.orientation)
        case .gamutMapped:
            let wide = try scaler.scale(frame, region: storedRegion, color: video.color, to: .yuv444p10, size: storedSize)
            stored = try gamutMap.map(wide)
        case .decoded: stored = frame
        case .scaled:
            stored = try scaler.scale(frame, region: storedRegion, color: video.color, to: .yuv420, size: storedSize)
        }
        return RasterPicture(frame: try stored.turned(placement.orientation))
    }

    /// How a frame is rasterised.
    func reading(_ frame: VideoFrame) -> SourceReading {
        SourceReading(
            way: way(of: frame), storedSize: frame.size, region: placement.region, orientation: placement.orientation,
            size: placement.destination.size)
    }

    private func way(of frame: VideoFrame) -> SourceReading.Way {
        if video.hasAlpha { return .premultiplied }
        if video.color.needsGamutMapping { return .gamutMapped }
        let isUntouched = storedRegion == .whole && frame.size == storedSize
        return isUntouched && frame.isYUV420 && video.color.matrix == .bt709 && !video.color.isFullRange ? .decoded : .scaled
    }
}

extension Region {
    /// The same part of the picture in the coordinates in which it is stored: undoes the turn, then the mirroring.
    func stored(under orientation: Orientation) -> Region {
        var region = self
        for _ in 0..<orientation.quarterTurns {
            // A quarter turn clockwise took (x, y) to (1 - y, x).
            region = Region(x: region.y, y: .one - region.x - region.width, width: region.height, height: region.width)
        }
        if orientation.mirrored { region.x = .one - region.x - region.width }
        return region
    }
}
