import ExactTime
import ExportPlan
import Media
import Vocabulary

/// The pictures of an instruction in 10 bits and in its source's own colours: the decoder's frame where it fits, else scaled and turned,
/// with black bars around it. Nothing is composed; the compiler lets no draft come here that would need it.
final class KeptPictures: PictureMaker {
    private let format: VideoFrame.Format
    private let canvas: FrameSize
    private let frameRate: FrameRate
    /// Nil shows black.
    private let source: KeptSource?
    /// What was made last, and of which frame.
    private var last: (frame: VideoFrame, picture: VideoFrame)?
    private var black: VideoFrame?

    init(_ layers: [Layer], _ format: VideoFrame.Format, _ context: PaintContext) throws(MediaError) {
        self.format = format
        canvas = context.canvas
        frameRate = context.frameRate
        var source: KeptSource?
        for layer in layers {
            if layer.content == .solid(color: .black), layer.isPlain { continue }
            guard source == nil, let kept = try KeptSource(layer, format, context) else {
                throw MediaError(.internalFailure, subject: "picture", message: "would have to be composed in 10 bits")
            }
            source = kept
        }
        self.source = source
    }

    func picture(atFrame index: Int) throws(MediaError) -> VideoFrame {
        guard let source else { return try blackPicture() }
        let frame = try source.frame(at: frameRate.time(ofFrame: index))
        if let last, last.frame === frame { return last.picture }
        var picture = try source.picture(of: frame)
        if source.destination != PixelRect(canvas) { picture = try framed(picture, at: source.destination) }
        last = (frame, picture)
        return picture
    }

    func program(atFrame index: Int) throws(MediaError) -> StackProgram {
        let isAlone = source?.destination == PixelRect(canvas)
        var layers: [LayerProgram] = []
        if !isAlone {
            layers.append(
                LayerProgram(
                    .solid(color: .black), repetition: .once,
                    joining: source == nil
                        ? .handedOn : .blended(rect: PixelRect(canvas), mode: .normal, opacity: 1, isOpaque: true)))
        }
        if let source {
            let joining: LayerProgram.Joining =
                isAlone ? .handedOn : .blended(rect: source.destination, mode: .normal, opacity: 1, isOpaque: true)
            var program = LayerProgram(source.content, repetition: source.repetition, joining: joining)
            program.reading = source.reading(try source.frame(at: frameRate.time(ofFrame: index)))
            layers.append(program)
        }
        return StackProgram(size: canvas, isOpaque: true, hiddenLayers: 0, keptLayers: 0, layers: layers)
    }

    private func blackPicture() throws(MediaError) -> VideoFrame {
        if let black { return black }
        let picture = try VideoFrame(black: format, canvas)
        black = picture
        return picture
    }

    /// Between black bars.
    private func framed(_ picture: VideoFrame, at rect: PixelRect) throws(MediaError) -> VideoFrame {
        let result = try VideoFrame(black: format, canvas)
        for index in 0..<3 {
            let shift = index == 0 ? (x: 0, y: 0) : result.chromaShift
            let from = picture.deepPlane(index)
            let to = result.deepPlane(index).part(
                x: rect.x >> shift.x, y: rect.y >> shift.y, width: from.width, height: from.height)
            for y in 0..<to.height { to.row(y).update(from: from.row(y), count: to.width) }
        }
        return result
    }
}

/// A layer's source, upright and at the size at which it is seen.
private final class KeptSource {
    let content: LayerProgram.Content
    let destination: PixelRect
    private let video: VideoFacts
    private let timing: SourceTiming?
    private let reader: FrameReader
    private let scaler: PictureScaler
    private let placement: Placement
    private let format: VideoFrame.Format
    /// The destination's size and the seen part before they are turned upright.
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
        content = timing == nil ? .still(source: hash) : .video(source: hash)
        reader = try context.readers.reader(hash, timing)
        scaler = PictureScaler(subject: source.path)
        let size = placement.destination.size
        storedSize = placement.orientation.swapsAxes ? FrameSize(width: size.height, height: size.width) : size
        storedRegion = placement.region.stored(under: placement.orientation)
    }

    func frame(at time: MediaTime) throws(MediaError) -> VideoFrame { try reader.frame(at: time, timing) }

    var repetition: LayerProgram.Repetition { timing?.isHeld ?? true ? .once : .whenSourceChanges }

    func reading(_ frame: VideoFrame) -> SourceReading {
        var reading = SourceReading(
            way: isUntouched(frame) ? .decoded : .scaled, storedSize: frame.size, region: placement.region,
            orientation: placement.orientation, size: placement.destination.size)
        reading.keepsColors = true
        return reading
    }

    /// Upright and in limited range. Chroma that is halved across alone has to be whole while the picture is turned over.
    func picture(of frame: VideoFrame) throws(MediaError) -> VideoFrame {
        if isUntouched(frame), placement.orientation == .upright { return frame }
        let isTurnedOver = placement.orientation.swapsAxes && format == .yuv422p10
        let wanted = isTurnedOver ? .yuv444p10 : format
        let stored = try scaler.scale(frame, region: storedRegion, color: video.color, to: wanted, size: storedSize)
        var picture = try stored.turned(placement.orientation, in: wanted)
        if isTurnedOver {
            picture = try scaler.scale(picture, region: .whole, color: video.color, to: format, size: picture.size)
        }
        return video.color.isFullRange ? try picture.limited(in: format) : picture
    }

    private func isUntouched(_ frame: VideoFrame) -> Bool {
        storedRegion == .whole && frame.size == storedSize && frame.has(format) && !video.color.isFullRange
    }
}

extension Layer {
    /// Whether its picture is drawn as it is, all the time.
    fileprivate var isPlain: Bool {
        timeRange == nil && transform == nil && crop == nil && operations == nil && mask == nil && blendMode == nil
            && opacity.constantValue == 1
    }
}
