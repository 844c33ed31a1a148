import ExactTime
import ExportPlan
import Media
import Vocabulary

/// The pictures of an instruction with 10-bit pass-through, in the source's own colours: the decoder's frame where it
/// fits, otherwise scaled and rotated, with black bars around it. Nothing is composed; the compiler sends no draft here
/// that would need it.
final class PassThroughPictures: PictureMaker {
    private let format: VideoFrame.Format
    private let canvas: FrameSize
    private let frameRate: FrameRate
    /// The source of the pictures. Nil shows black.
    private let source: PassThroughSource?
    /// The last picture that was made, and the source frame that it was made of.
    private var last: (frame: VideoFrame, picture: VideoFrame)?
    private var black: VideoFrame?
    private let log: DecisionLog?
    /// The log of what is black.
    private let blackLog: DecisionLog?

    init(_ layers: [Layer], _ format: VideoFrame.Format, _ context: PaintContext) throws(MediaError) {
        self.format = format
        canvas = context.canvas
        frameRate = context.frameRate
        log = context.log?.part(.stack(size: canvas))
        blackLog = log?.part(.solid(color: .black))
        var source: PassThroughSource?
        for layer in layers {
            if layer.content == .solid(color: .black), layer.isPlain { continue }
            guard source == nil, let kept = try PassThroughSource(layer, format, context.recording(in: log)) else {
                throw MediaError(
                    .internalFailure, subject: "picture", message: "would need composition in 10 bits, which is not supported")
            }
            source = kept
        }
        self.source = source
    }

    func picture(atFrame index: Int) throws(MediaError) -> VideoFrame {
        log?.note(.stacking(isOpaque: true, hiddenLayers: 0, cachedLayers: 0))
        guard let source else {
            noteBlack(.passedThrough)
            return try blackPicture()
        }
        let frame = try source.frame(at: frameRate.time(ofFrame: index))
        if let last, last.frame === frame { return last.picture }
        var picture = try source.picture(of: frame)
        if source.destination == PixelRect(canvas) {
            source.log?.note(.compositing(.passedThrough))
        } else {
            noteBlack(.blended(rect: PixelRect(canvas), mode: .normal, opacity: 1, isOpaque: true))
            picture = try framed(picture, at: source.destination)
            source.log?.note(
                .compositing(.blended(rect: source.destination, mode: .normal, opacity: 1, isOpaque: true)))
        }
        last = (frame, picture)
        return picture
    }

    private func noteBlack(_ compositing: Explanation.Compositing) {
        blackLog?.note(.repetition(.once))
        blackLog?.note(.compositing(compositing))
    }

    private func blackPicture() throws(MediaError) -> VideoFrame {
        if let black { return black }
        let picture = try VideoFrame(black: format, canvas)
        black = picture
        return picture
    }

    /// The picture with black bars around it.
    private func framed(_ picture: VideoFrame, at rect: PixelRect) throws(MediaError) -> VideoFrame {
        let result = try VideoFrame(black: format, canvas)
        for index in 0..<3 {
            let shift = index == 0 ? (x: 0, y: 0) : result.chromaShift
            let from = picture.highDepthPlane(index)
            let to = result.highDepthPlane(index).part(
                x: rect.x >> shift.x, y: rect.y >> shift.y, width: from.width, height: from.height)
            for y in 0..<to.height { to.row(y).update(from: from.row(y), count: to.width) }
        }
        return result
    }
}

/// A layer's source, upright and at the size at which it is shown.
private final class PassThroughSource {
    let log: DecisionLog?
    let destination: PixelRect
    private let video: VideoFacts
    private let timing: SourceTiming?
    private let reader: FrameReader
    private let scaler: PictureScaler
    private let placement: Placement
    private let format: VideoFrame.Format
    /// The destination's size and the visible region in stored coordinates, before they are rotated upright.
    private let storedSize: FrameSize
    private let storedRegion: Region

    /// - Returns: nil for a layer that would have to be composed.
    init?(_ layer: Layer, _ format: VideoFrame.Format, _ context: PaintContext) throws(MediaError) {
        guard layer.isPlain, let placement = layer.placement else { return nil }
        let hash: String
        switch layer.content {
        case .video(let source, let timing) where timing.blendsFrames != true: (hash, self.timing) = (source, timing)
        case .still(let source): (hash, self.timing) = (source, nil)
        default: return nil
        }
        let source = try context.readers.source(hash)
        guard let video = source.facts.video, !video.hasAlpha, video.color.matrix != .rgb else { return nil }
        self.video = video
        self.format = format
        self.placement = placement
        destination = placement.destination
        log = context.log?.part(layer.content.subject)
        reader = try context.readers.reader(hash, timing)
        scaler = PictureScaler(subject: source.path)
        let size = placement.destination.size
        storedSize = placement.orientation.swapsAxes ? FrameSize(width: size.height, height: size.width) : size
        storedRegion = placement.region.stored(under: placement.orientation)
    }

    func frame(at time: MediaTime) throws(MediaError) -> VideoFrame { try reader.frame(at: time, timing) }

    /// The frame upright and in limited range. 4:2:2 pictures become 4:4:4 for a rotation by 90 degrees, because the
    /// rotation would turn horizontal subsampling into vertical subsampling.
    func picture(of frame: VideoFrame) throws(MediaError) -> VideoFrame {
        let isUntouched = isUntouched(frame)
        log?.note(
            .reading(
                method: isUntouched ? .decoded : .scaledInOwnColors, storedSize: frame.size, region: placement.region,
                orientation: placement.orientation, size: placement.destination.size))
        log?.note(.repetition(timing?.isHeld ?? true ? .once : .whenSourceChanges))
        if isUntouched, placement.orientation == .upright { return frame }
        let isTransposed = placement.orientation.swapsAxes && format == .yuv422p10
        let wanted = isTransposed ? .yuv444p10 : format
        let stored = try scaler.scale(frame, region: storedRegion, color: video.color, to: wanted, size: storedSize)
        var picture = try stored.rotated(placement.orientation, in: wanted)
        if isTransposed {
            picture = try scaler.scale(picture, region: .whole, color: video.color, to: format, size: picture.size)
        }
        return video.color.isFullRange ? try picture.limited(in: format) : picture
    }

    private func isUntouched(_ frame: VideoFrame) -> Bool {
        storedRegion == .whole && frame.size == storedSize && frame.has(format) && !video.color.isFullRange
    }
}

extension Layer {
    /// Whether the layer is always drawn without any change to its picture.
    fileprivate var isPlain: Bool {
        timeRange == nil && transform == nil && crop == nil && operations == nil && mask == nil && blendMode == nil
            && mixer == nil
            && opacity.constantValue == 1
    }
}
