import Vocabulary

/// What an encoder is predicted to hold while it encodes a segment. All encoders have a fixed number of threads
/// (`VideoEncoderSetup`), so memory follows from the frames that they keep.
///
/// The coefficients were fitted to the peak memory of rendering processes, less what the same process takes without the
/// encoder: H.264 at 540p, 1080p and 4K with lookaheads of 40, 15 and 10 frames, H.265 and VP9 at 540p and 1080p, AV1
/// and ProRes the same. `DemandPredictionTests` has the measurements.
struct EncoderMemory {
    private let settings: VideoEncodeSettings
    private let size: FrameSize
    private let frames: Int

    /// - Parameter frames: the segment's frames; no encoder looks further ahead.
    init(_ settings: VideoEncodeSettings, _ size: FrameSize, frames: Int) {
        self.settings = settings
        self.size = size
        self.frames = frames
    }

    var bytes: Double {
        // Encoders of 8 bits keep one byte for each sample, those of 10 bits two; costs and vectors stay the same.
        let depth = settings.color == nil || settings.color?.bitsPerSample == 8 ? 1 : 1.75
        // Alpha is encoded by an encoder of its own, which keeps as many pictures.
        let streams: Double = settings.alpha == true ? 2 : 1
        let references = Double(EncoderPreset.referenceFrames(settings.codec, settings.speed))
        let lookahead = Double(min(frames, EncoderPreset.lookahead(settings.codec, settings.speed, size)))
        switch settings.codec {
        case .h264: return pixels(margin: 32) * (38 + 2.2 * references + 3.5 * lookahead) * depth
        case .hevc: return pixels(margin: 32) * (58 + 5 * references + 5.7 * lookahead) * depth
        // 25 frames of lookahead and eight references, each with a wide margin.
        case .vp9: return pixels(margin: 160) * 90 * depth * streams
        case .av1: return 120e6 + pixels(margin: 0) * 110 * depth
        case .prores: return pixels(margin: 0) * 8 * streams
        // The frames' colours are counted, and the last frame is kept to write what changes.
        case .gif: return pixels(margin: 0) * 24
        // libwebp keeps several whole canvases in four bytes a pixel.
        case .webp: return pixels(margin: 0) * 48
        // A picture in four bytes a pixel, the same for the encoder, and its file, which is about as large at worst.
        case .png, .mjpeg, .tiff, .rawvideo: return pixels(margin: 0) * 16
        }
    }

    /// How many processors a job is given where all are busy. libx264 and libx265 take more where others have nothing to
    /// do; SVT-AV1's pipeline keeps its threads even with one logical processor.
    var threads: Double { settings.codec == .av1 ? 1.25 : 1 }

    /// The pixels of one frame with a margin around it, which motion vectors may point into.
    private func pixels(margin: Double) -> Double {
        (Double(size.width) + 2 * margin) * (Double(size.height) + 2 * margin)
    }
}
