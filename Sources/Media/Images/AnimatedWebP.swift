import CWebP
import ExactTime
import ExportPlan

/// An animated WebP, read with libwebp because libav has no decoder for it. Its frames come out as whole RGBA pictures
/// with straight alpha over a transparent background. The file's background colour is ignored, as browsers ignore it.
///
/// The compressed file stays in memory. Going back means decoding again from the first frame.
final class AnimatedWebP: PictureSequence {
    /// The value of `SourceFacts.container` for an animated WebP. Still WebPs have libav's `webp_pipe`.
    static let container = "webp"
    /// libwebp's times are in milliseconds.
    static let timeBase = Rational(1, 1000)

    let size: FrameSize
    let hasAlpha: Bool
    /// The start of each frame and the end of the last one, in milliseconds.
    let times: [Int64]
    /// The bytes of the file's ICC profile, which is attached to the first frame; nil where it has none.
    private let profile: [UInt8]?
    private let file: FileBytes
    private let decoder: OpaquePointer
    private var nextIndex = 0
    private(set) var isDrained = false
    /// The index of the first frame that could not be decoded. No frame after it can be decoded either.
    private var firstLost: Int?

    /// - Throws: `MediaError` `damaged`, `overLimit` or `outOfMemory`.
    init(_ source: SourceFile) throws(MediaError) {
        let path = source.path
        file = try FileBytes(source)
        var data = WebPData(bytes: file.base, size: file.buffer.count)
        let index = try AnimatedWebP.index(&data, path)
        (size, hasAlpha, times, profile) = (index.size, index.hasAlpha, index.times, index.profile)
        var options = WebPAnimDecoderOptions()
        guard WebPAnimDecoderOptionsInit(&options) != 0 else {
            throw MediaError(.missingCodec, subject: path, message: "needs another version of libwebp")
        }
        options.color_mode = MODE_RGBA
        options.use_threads = 0
        guard let made = WebPAnimDecoderNew(&data, &options) else {
            throw MediaError(.outOfMemory, subject: path, message: "needs more memory than there is, at \(size)")
        }
        decoder = made
    }

    deinit { WebPAnimDecoderDelete(decoder) }

    var frameCount: Int { times.count - 1 }

    /// A frame that cannot be decoded ends the animation; the frames before it are good.
    func next() throws(MediaError) -> TimedPicture? {
        var pixels: UnsafeMutablePointer<UInt8>?
        var end: Int32 = 0
        guard !isDrained, nextIndex < frameCount, WebPAnimDecoderGetNext(decoder, &pixels, &end) != 0, let pixels else {
            isDrained = true
            if nextIndex < frameCount { firstLost = nextIndex }
            return nil
        }
        let frame = try VideoFrame(.rgba, size)
        let plane = frame.plane(0)
        for y in 0..<size.height {
            plane.row(y).update(from: pixels + y * size.width * 4, count: size.width * 4)
        }
        if let profile, nextIndex == 0 { try frame.attach(profile: profile) }
        defer { nextIndex += 1 }
        return TimedPicture(timestamp: times[nextIndex], frame: frame)
    }

    func seek(to timestamp: Int64) -> Bool { false }

    func lostPicture(in range: ClosedRange<Int64>) -> Int64? {
        firstLost.flatMap { first in times[first..<frameCount].last { range.contains($0) } }
    }

    func rewind() {
        WebPAnimDecoderReset(decoder)
        nextIndex = 0
        isDrained = false
    }

    private struct Index {
        var size: FrameSize
        var hasAlpha: Bool
        var times: [Int64]
        var profile: [UInt8]?
    }

    /// Reads the file's structure, without decoding anything.
    private static func index(_ data: inout WebPData, _ path: String) throws(MediaError) -> Index {
        guard let demuxer = WebPDemux(&data) else {
            throw MediaError(
                .damaged, subject: path,
                message: "is damaged or cut short: its WebP structure cannot be read; copy or export the file again")
        }
        defer { WebPDemuxDelete(demuxer) }
        let size = FrameSize(
            width: Int(WebPDemuxGetI(demuxer, WEBP_FF_CANVAS_WIDTH)), height: Int(WebPDemuxGetI(demuxer, WEBP_FF_CANVAS_HEIGHT)))
        try PictureLimits.checkAnimation(size, frames: Int(WebPDemuxGetI(demuxer, WEBP_FF_FRAME_COUNT)), path)
        var index = Index(
            size: size, hasAlpha: WebPDemuxGetI(demuxer, WEBP_FF_FORMAT_FLAGS) & ALPHA_FLAG.rawValue != 0, times: [0])
        var iterator = WebPIterator()
        guard WebPDemuxGetFrame(demuxer, 1, &iterator) != 0 else {
            throw MediaError(.damaged, subject: path, message: "is damaged: it has no frame")
        }
        defer { WebPDemuxReleaseIterator(&iterator) }
        repeat {
            let coversCanvas = Int(iterator.width) == size.width && Int(iterator.height) == size.height
            let showsThrough = iterator.frame_num == 1 && !coversCanvas
            let clears = iterator.dispose_method == WEBP_MUX_DISPOSE_BACKGROUND
            if iterator.has_alpha != 0 || showsThrough || clears { index.hasAlpha = true }
            let start = index.times[index.times.count - 1]
            index.times.append(start + AnimationDelay.shown(milliseconds: Int64(iterator.duration)))
        } while WebPDemuxNextFrame(&iterator) != 0
        index.profile = profile(demuxer)
        return index
    }

    private static func profile(_ demuxer: OpaquePointer) -> [UInt8]? {
        var chunk = WebPChunkIterator()
        guard WebPDemuxGetChunk(demuxer, "ICCP", 1, &chunk) != 0 else { return nil }
        defer { WebPDemuxReleaseChunkIterator(&chunk) }
        return Array(UnsafeBufferPointer(start: chunk.chunk.bytes, count: chunk.chunk.size))
    }
}
