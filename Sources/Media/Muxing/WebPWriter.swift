import CWebP
import ExactTime
import ExportPlan
import FoundationEssentials

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
        let source = try SourceFile(path: path)
        if FileArchiveFile.begins(try source.bytes(0..<min(16, source.byteCount))) {
            return try add(pictures: FileArchiveFile(path: path), of: path, frames)
        }
        let file = try FileBytes(source)
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

    /// Adds a segment of pictures that are transparent and were encoded by themselves. Each replaces the whole canvas;
    /// equal ones become one.
    private func add(pictures archive: FileArchiveFile, of path: String, _ frames: Range<Int>) throws(MediaError) {
        guard archive.entries.count == frames.count else {
            throw MediaError(.damaged, subject: path, message: "has more or fewer images than its segment has frames")
        }
        var shown = try archive.entries.first.map { entry throws(MediaError) in try archive.picture(entry) }
        var first = frames.lowerBound
        for next in frames.lowerBound + 1...frames.upperBound {
            let isLast = next == frames.upperBound
            let picture = isLast ? nil : try archive.picture(archive.entries[next - frames.lowerBound])
            guard isLast || picture != shown else { continue }
            if let shown { try push(shown, first..<next) }
            (shown, first) = (picture, next)
        }
    }

    private func push(_ picture: Data, _ frames: Range<Int>) throws(MediaError) {
        let code = picture.withUnsafeBytes { bytes in
            var image = WebPMuxFrameInfo()
            image.bitstream = WebPData(bytes: bytes.bindMemory(to: UInt8.self).baseAddress, size: bytes.count)
            image.id = WEBP_CHUNK_ANMF
            image.duration = Int32(clock.ticks(frames))
            image.dispose_method = WEBP_MUX_DISPOSE_NONE
            image.blend_method = WEBP_MUX_NO_BLEND
            return WebPMuxPushFrame(mux, &image, 1)
        }
        try check(code)
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
