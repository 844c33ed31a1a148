import CFFmpeg
package import ExactTime
package import ExportPlan
import Vocabulary

/// Encodes the frames of one segment.
package final class VideoEncoder {
    let context: EncoderContext
    let frameRate: FrameRate
    let codec: VideoCodec
    /// Ten times the level that the stream has to declare; nil if the encoder decides.
    let level: Int?
    /// The track of the file for which the packets are.
    let track: MovieWriter.Track
    private let setup: VideoEncoderSetup
    /// Every so many pictures, from the first on, one is a keyframe; nil leaves the choice to the encoder.
    private let keyframeSpacing: Int?
    /// The colours of the pictures that are encoded.
    private let color: FilmColor
    private let converter = PictureScaler(subject: "encoder")
    /// Gives composed pictures the film's matrix; nil where it is BT.709's, with which they are composed.
    private let recoder: PictureScaler?
    /// Converts pictures to the palette of a GIF; nil for other codecs.
    private let dithering: PaletteDithering?
    /// The size of all packets so far, in bytes.
    package private(set) var byteCount = 0

    /// - Parameters:
    ///   - pass: the pass. Its statistics files must outlive the encoder.
    ///   - palette: the palette of a GIF; nil for other codecs.
    ///   - track: the track of the file for which the packets are.
    /// - Throws: `MediaError`, also if statistics cannot be read.
    package init(
        _ settings: VideoEncodeSettings, size: FrameSize, frameRate: FrameRate, pass: VideoPass = .only,
        palette: Palette? = nil, track: MovieWriter.Track = .video
    ) throws(MediaError) {
        self.frameRate = frameRate
        self.track = track
        keyframeSpacing = settings.keyframeSpacing
        let rate = frameRate.framesPerSecond
        let interval = settings.maxKeyframeInterval
        codec = settings.codec
        level =
            if let level = settings.level {
                level
            } else if case .share(let bitrate, _, _, _) = settings.rate {
                CodecLevel.level(settings.codec, size, frameRate, speed: settings.speed, bitrate: bitrate)
            } else {
                nil
            }
        let setup = VideoEncoderSetup(settings, size, level: level, pass)
        let statistics = try setup.statisticsInput.map { path throws(MediaError) in try PassStatistics.text(ofFile: path) }
        self.setup = setup
        dithering = try palette.map { palette throws(MediaError) in try PaletteDithering(palette, size) }
        let color = settings.color ?? FilmColor(settings.composedColor ?? .bt709)
        self.color = color
        if let composed = settings.composedColor, composed.matrix != .bt709 {
            recoder = PictureScaler(subject: "film", composed: composed)
        } else {
            recoder = nil
        }
        context = try EncoderContext(setup.name, options: setup.options) { context in
            context.pointee.width = Int32(size.width)
            context.pointee.height = Int32(size.height)
            context.pointee.pix_fmt = setup.pixelFormat
            context.pointee.time_base =
                setup.countsFrames
                ? AVRational(num: 1, den: 1000) : AVRational(num: Int32(rate.denominator), den: Int32(rate.numerator))
            context.pointee.framerate = AVRational(num: Int32(rate.numerator), den: Int32(rate.denominator))
            context.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
            context.pointee.gop_size = Int32(interval)
            context.pointee.thread_count = 1
            context.pointee.bit_rate = Int64(setup.bitrate)
            context.pointee.flags |= setup.flags
            if let statistics { context.pointee.stats_in = av_strdup(statistics) }
            context.pointee.color_range = AVCOL_RANGE_MPEG
            context.pointee.color_primaries = color.color.libavPrimaries
            context.pointee.color_trc = color.color.libavTransfer
            context.pointee.colorspace = color.color.libavMatrix
            context.pointee.chroma_sample_location = (color.chromaLocation ?? .left).libav
        }
    }

    /// The x264 parameter that keeps libx264 164 from using AVX-512 if the width is no multiple of 128. There its
    /// lookahead reads uninitialised memory, and the bytes depend on it (docs/decisions/0007-avx-512-in-x264.md). Empty
    /// in all other cases.
    static func vectorUnit(_ size: FrameSize) -> String {
        MediaRuntime.hasAVX512 && size.width % 128 != 0 ? ":asm=AVX2,BMI2,LZCNT,Cache64" : ""
    }

    deinit {
        // libavcodec leaves freeing this to its caller.
        av_freep(&context.pointer.pointee.stats_in)
    }

    /// Encodes `frame` as number `index` of the segment.
    /// - Parameter writer: gets the packets; nil if only their size is of interest.
    package func encode(_ frame: VideoFrame, index: Int, to writer: MovieWriter?) throws(MediaError) {
        // A still is encoded many times, so the number is set on a new reference to the picture.
        let numbered = try VideoFrame()
        let composed = try recoder.map { recoder throws(MediaError) in
            try recoder.scale(frame, region: .whole, color: .bt709, to: .yuv420, size: frame.size)
        }
        let converted = try setup.format.map { format throws(MediaError) in
            try converter.scale(composed ?? frame, region: .whole, color: color.color, to: format, size: frame.size)
        }
        let picture = converted ?? composed ?? frame
        try LibavResult.check(av_frame_ref(numbered.pointer, picture.pointer), "frame", "cannot be shared", .outOfMemory)
        numbered.pointer.pointee.pts = Int64(index)
        let isKeyframe = keyframeSpacing.map { index % $0 == 0 } ?? false
        numbered.pointer.pointee.pict_type = isKeyframe ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
        numbered.pointer.pointee.key_frame = 0
        if setup.tagsEachPicture { numbered.say(color.color) }
        av_frame_remove_side_data(numbered.pointer, AV_FRAME_DATA_A53_CC)
        av_frame_remove_side_data(numbered.pointer, AV_FRAME_DATA_SEI_UNREGISTERED)
        guard let dithering else { return try encode(numbered, to: writer) }
        for picture in try dithering.next(numbered) { try encode(picture, to: writer) }
    }

    private func encode(_ picture: VideoFrame, to writer: MovieWriter?) throws(MediaError) {
        try context.encode(picture.pointer) { packet throws(MediaError) in try write(packet, to: writer) }
    }

    /// Encodes the frames that are still held back.
    package func finish(to writer: MovieWriter?) throws(MediaError) {
        for picture in try dithering?.next(nil) ?? [] { try encode(picture, to: writer) }
        try context.encode(nil) { packet throws(MediaError) in try write(packet, to: writer) }
    }

    /// The statistics of a finished first pass of libvpx; nil for other encoders.
    var statisticsText: String? { context.pointer.pointee.stats_out.map { String(cString: $0) } }

    private func write(_ packet: Packet, to writer: MovieWriter?) throws(MediaError) {
        byteCount += Int(packet.pointer.pointee.size)
        try writer?.write(packet, track: track)
    }
}
