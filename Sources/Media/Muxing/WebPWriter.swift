import CWebP
import ExactTime
import ExportPlan

/// Joins animated WebPs with libwebp's muxer. The times inside a segment count frames.
final class WebPWriter: AnimationWriter {
    private let path: String
    private let clock: AnimationClock
    private let mux: OpaquePointer

    /// - Parameter tags: written as XMP.
    init(path: String, _ frameRate: FrameRate, tags: [String: String]) throws(MediaError) {
        self.path = path
        clock = AnimationClock(frameRate: frameRate, ticksPerSecond: 1000)
        mux = try LibavResult.allocated(WebPMuxNew(), path)
        // The background is transparent white, as in the format's own example; players ignore it. A loop count of 0
        // means endless.
        var parameters = WebPMuxAnimParams(bgcolor: 0x00FF_FFFF, loop_count: 0)
        try check(WebPMuxSetAnimationParams(mux, &parameters))
        guard !tags.isEmpty else { return }
        try setXMP(Array(XMPPacket.text(tags).utf8))
    }

    deinit { WebPMuxDelete(mux) }

    func add(segment path: String, frames: Range<Int>) throws(MediaError) {
        let file = try FileBytes(try SourceFile(path: path))
        var data = WebPData(bytes: file.base, size: file.buffer.count)
        guard let segment = WebPMuxCreate(&data, 0) else {
            throw MediaError(.damaged, subject: path, message: "is damaged: its WebP structure cannot be read")
        }
        defer { WebPMuxDelete(segment) }
        var (width, height): (Int32, Int32) = (0, 0)
        try check(WebPMuxGetCanvasSize(segment, &width, &height))
        try check(WebPMuxSetCanvasSize(mux, width, height))
        var next = frames.lowerBound
        var number: UInt32 = 1
        while next < frames.upperBound {
            var image = WebPMuxFrameInfo()
            guard WebPMuxGetFrame(segment, number, &image) == WEBP_MUX_OK else {
                throw MediaError(.damaged, subject: path, message: "has fewer images than its segment has frames")
            }
            defer { WebPDataClear(&image.bitstream) }
            // The encoder merges equal images, and does not know the duration of the last one.
            var following = WebPMuxFrameInfo()
            let isLast = WebPMuxGetFrame(segment, number + 1, &following) != WEBP_MUX_OK
            WebPDataClear(&following.bitstream)
            let end = isLast ? frames.upperBound : next + Int(image.duration)
            guard end > next, end <= frames.upperBound else {
                throw MediaError(.damaged, subject: path, message: "has more images than its segment has frames")
            }
            image.id = WEBP_CHUNK_ANMF
            image.duration = Int32(clock.ticks(next..<end))
            try check(WebPMuxPushFrame(mux, &image, 1))
            next = end
            number += 1
        }
    }

    func finish() throws(MediaError) {
        var assembled = WebPData()
        defer { WebPDataClear(&assembled) }
        try check(WebPMuxAssemble(mux, &assembled))
        let file = try OutputFile(path: path)
        file.write(UnsafeBufferPointer(start: assembled.bytes, count: assembled.size))
        try file.finish()
    }

    private func setXMP(_ bytes: [UInt8]) throws(MediaError) {
        let code = bytes.withUnsafeBufferPointer { buffer in
            var chunk = WebPData(bytes: buffer.baseAddress, size: buffer.count)
            return WebPMuxSetChunk(mux, "XMP ", &chunk, 1)
        }
        try check(code)
    }

    private func check(_ code: WebPMuxError) throws(MediaError) {
        switch code {
        case WEBP_MUX_OK: return
        case WEBP_MUX_MEMORY_ERROR: throw MediaError(.outOfMemory, subject: path, message: "needs more memory than there is")
        default: throw MediaError(.internalFailure, subject: path, message: "cannot be joined: libwebp's error \(code.rawValue)")
        }
    }
}
