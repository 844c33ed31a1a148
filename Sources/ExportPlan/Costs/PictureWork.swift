import ExactTime
import Vocabulary

/// Counts the pixels that a picture segment, or single frames, decode, draw and encode.
///
/// It counts what the layers say. The compositor often does less: what lies below a covering layer is not drawn, what
/// never changes is drawn once, and the decoder's own frame is passed through. Fitted coefficients are the average of
/// such segments.
struct PictureWork {
    private let facts: [String: SourceFacts]
    /// Megapixels of one output frame.
    private var megapixels = 0.0
    private var framesPerSecond = 1.0
    private var decoded = 0.0
    private var drawn = 0.0
    private var filtered = 0.0
    private var joined = 0.0

    /// - Parameter facts: the facts of the sources by content hash.
    init(_ facts: [String: SourceFacts]) {
        self.facts = facts
    }

    /// The work of one segment.
    init(_ slice: VideoSlice, _ facts: [String: SourceFacts]) {
        self.init(facts)
        let range = TimeRange(start: .zero, duration: slice.frameRate.time(ofFrame: slice.frameCount))
        add(slice.instruction.layers, during: range, at: slice.frameRate, on: slice.canvas)
    }

    /// The work of a whole instruction of a composition.
    init(_ instruction: Instruction, at rate: FrameRate, on canvas: FrameSize, _ facts: [String: SourceFacts]) {
        self.init(facts)
        add(instruction.layers, during: instruction.timeRange, at: rate, on: canvas)
    }

    mutating func add(_ frame: SingleFrame) {
        let range = TimeRange(start: .zero, duration: frame.frameRate.time(ofFrame: 1))
        add(frame.instruction.layers, during: range, at: frame.frameRate, on: frame.canvas)
    }

    private mutating func add(_ layers: [Layer], during range: TimeRange, at rate: FrameRate, on canvas: FrameSize) {
        megapixels = PictureWork.megapixels(canvas)
        framesPerSecond = rate.framesPerSecond.doubleValue
        add(layers, during: range)
    }

    /// What is decoded and drawn.
    var amounts: [JobFeature: Double] {
        [.decodedPixels: decoded, .drawnPixels: drawn, .filteredPixels: filtered, .joinedPixels: joined]
    }

    /// What is decoded, drawn and encoded.
    /// - Parameters:
    ///   - frames: the number of frames that are encoded.
    ///   - isMeasure: whether they are only measured.
    func amounts(frames: Int, encode: VideoEncodeSettings, isMeasure: Bool) -> [JobFeature: Double] {
        // A GIF's pictures are composed once more for their palette. A share of bits is met by encoding about twice.
        var passes = encode.codec == .gif ? 2.0 : 1.0
        if case .share = encode.rate, !isMeasure { passes = 2 }
        var amounts = amounts
        let encoded = encode.renditions.map { $0.reduce(0.0) { $0 + PictureWork.megapixels($1) } } ?? megapixels
        amounts[.encodedPixels] = Double(frames) * encoded * encode.effort
        return amounts.mapValues { $0 * passes }
    }

    private static func megapixels(_ size: FrameSize) -> Double { Double(size.width) * Double(size.height) / 1e6 }

    private mutating func add(_ layers: [Layer], during range: TimeRange) {
        for layer in layers { add(layer, during: range) }
    }

    private mutating func add(_ layer: Layer, during range: TimeRange) {
        let seen = layer.timeRange.map(range.intersection) ?? range
        guard !seen.isEmpty else { return }
        let pixels = seen.duration.doubleValue * framesPerSecond * megapixels
        filtered += pixels * Double((layer.operations?.count ?? 0) + (layer.mixer == nil ? 0 : 1))
        if let mask = layer.mask {
            filtered += pixels
            add(mask.layers, during: seen)
        }
        for transition in layer.transitions ?? [] {
            // The layer is drawn onto a canvas of its own, which is joined with a transparent one and drawn again.
            let joining = transition.timeRange.intersection(seen)
            guard !joining.isEmpty else { continue }
            let pixels = joining.duration.doubleValue * framesPerSecond * megapixels
            joined += pixels
            if transition.mixer != nil { filtered += pixels }
            drawn += pixels
            add(transition.map?.picture ?? [], during: joining)
        }
        switch layer.content {
        case .adjustment: return
        case .transition(let transition):
            joined += pixels
            if transition.mixer != nil { filtered += pixels }
            add(transition.from + transition.to + (transition.map?.picture ?? []), during: seen)
            return
        case .solid, .text, .shape, .captions: break
        case .generator(let generated):
            filtered += seen.duration.doubleValue * framesPerSecond * PictureWork.megapixels(generated.size)
        case .still(let source): decoded += decodedFrame(of: source)
        case .video(let source, let timing): decoded += decodedFrames(of: source, timing, during: seen)
        case .blurred(let inner, _):
            filtered += pixels
            add(inner, during: seen)
        case .group(let layers, _): add(layers, during: seen)
        }
        drawn += pixels * (layer.transform == nil ? 1 : 2)
    }

    /// Megapixels of one frame of a source, times the effort of its codec.
    private func decodedFrame(of source: String) -> Double {
        facts[source]?.video.map(PictureWork.decodedFrame) ?? megapixels
    }

    static func decodedFrame(of video: VideoFacts) -> Double {
        megapixels(video.size) * (decodingEfforts[video.codec] ?? 1)
    }

    /// Megapixel-frames of a source that are decoded while it plays: whatever its speed, all frames between the first
    /// and the last one that is shown, and those from the keyframe before.
    private func decodedFrames(of source: String, _ timing: SourceTiming, during range: TimeRange) -> Double {
        let (first, last) = (timing.sourceTime(at: range.start), timing.sourceTime(at: range.end))
        let played =
            timing.loop == nil
            ? abs((last - first).doubleValue) : abs(timing.rate.doubleValue) * range.duration.doubleValue
        guard let video = facts[source]?.video else { return (played * framesPerSecond + 1) * decodedFrame(of: source) }
        let earliest = min(first, last)
        let keyframe = video.keyframes.lastSortedIndex { $0 <= earliest }.map { video.keyframes[$0] } ?? earliest
        let seconds = played + (earliest - keyframe).doubleValue
        return (seconds * video.frameRate.framesPerSecond.doubleValue + 1) * decodedFrame(of: source)
    }

    /// How much longer a frame of a codec takes to decode than one of H.264, by libavcodec's names. Codecs that are not
    /// here take about as long.
    private static let decodingEfforts: [String: Double] = [
        "hevc": 1.5, "av1": 1.5, "vp9": 1.2, "prores": 1.5, "png": 3, "apng": 3, "webp": 2, "gif": 0.5, "lottie": 3, "mpeg4": 0.6,
        "mpeg2video": 0.6, "rawvideo": 0.2,
    ]
}

extension VideoEncodeSettings {
    /// How much longer a frame takes to encode than with the speed `medium`.
    fileprivate var effort: Double {
        // These have no choice of speeds.
        [.prores, .gif, .png, .mjpeg, .tiff, .rawvideo].contains(codec) ? 1 : VideoEncodeSettings.efforts[speed] ?? 1
    }

    private static let efforts: [String: Double] = [
        "ultrafast": 0.2, "superfast": 0.3, "veryfast": 0.45, "faster": 0.7, "fast": 0.85, "medium": 1, "slow": 1.6,
        "slower": 2.8, "veryslow": 5, "placebo": 10,
    ]
}
