import CFFmpeg
import ExportPlan

/// The pictures of a GIF. libav finds and decodes its images, which are composed here by the rules of browsers: the
/// canvas starts transparent, and cleared regions become transparent. libav would fill them with the file's background
/// colour.
final class GIFPictures: PictureSequence {
    static let container = "gif"

    private let file: SourceFile
    private var path: String { file.path }
    private let facts: VideoFacts
    private var demuxer: Demuxer
    private var decoder: VideoDecoder
    private let packet: Packet
    private let single: Packet
    private var header: GIFHeader?
    /// The visible canvas as 32-bit BGRA pixels; the next image is drawn over it.
    private var canvas: [UInt32]
    private var lastTimestamp: Int64?
    private(set) var isDrained = false
    /// The timestamps of images that could not be decoded, in ticks.
    private var lost: Set<Int64> = []

    /// - Throws: `MediaError`; see `Demuxer` and `PictureLimits`.
    init(_ facts: VideoFacts, _ file: SourceFile) throws(MediaError) {
        self.file = file
        self.facts = facts
        try PictureLimits.checkAnimation(facts.size, frames: facts.frameCount, file.path)
        packet = try Packet()
        single = try Packet()
        canvas = [UInt32](repeating: 0, count: facts.size.width * facts.size.height)
        (demuxer, decoder) = try PictureStream.open(file, facts)
    }

    /// An image that cannot be decoded is skipped.
    func next() throws(MediaError) -> TimedPicture? {
        while !isDrained {
            guard try demuxer.read(into: packet) else {
                isDrained = true
                break
            }
            guard let timestamp = packet.timestamp, timestamp > lastTimestamp ?? .min, let data = packet.pointer.pointee.data
            else { continue }
            let bytes = Array(UnsafeBufferPointer(start: data, count: packet.byteCount))
            let own = GIFHeader(bytes)
            header = own ?? header
            guard let header, let image = GIFImage(bytes, after: own?.byteCount ?? 0), let drawn = try decode(image, header)
            else {
                lost.insert(timestamp)
                continue
            }
            lastTimestamp = timestamp
            return TimedPicture(timestamp: timestamp, frame: try show(drawn, image))
        }
        return nil
    }

    func seek(to timestamp: Int64) -> Bool { false }

    func lostPicture(in range: ClosedRange<Int64>) -> Int64? { lost.filter { range.contains($0) }.max() }

    func rewind() throws(MediaError) {
        (demuxer, decoder) = try PictureStream.open(file, facts)
        canvas = [UInt32](repeating: 0, count: canvas.count)
        header = nil
        lastTimestamp = nil
        isDrained = false
    }

    /// The image's own pixels, transparent where it draws nothing; nil if it is damaged or beyond the limits.
    private func decode(_ image: GIFImage, _ header: GIFHeader) throws(MediaError) -> VideoFrame? {
        guard (try? PictureLimits.checkAnimation(image.size, frames: 0, path)) != nil else { return nil }  // skipped
        let file = image.alone(header)
        single.unreference()
        try LibavResult.check(av_new_packet(single.pointer, Int32(file.count)), path, "cannot be decoded", .outOfMemory)
        guard let data = single.pointer.pointee.data else { return nil }
        file.withUnsafeBufferPointer { if let base = $0.baseAddress { data.update(from: base, count: $0.count) } }
        single.pointer.pointee.flags |= AV_PKT_FLAG_KEY
        try decoder.send(single)
        guard let frame = try decoder.receive(), frame.size == image.size, frame.pixelFormat == AV_PIX_FMT_BGRA else {
            return nil
        }
        return frame
    }

    /// Draws an image on the canvas, copies the canvas, and applies the image's disposal.
    private func show(_ drawn: VideoFrame, _ image: GIFImage) throws(MediaError) -> VideoFrame {
        let before = image.disposal == .restore ? canvas : []
        let columns = min(image.size.width, max(0, facts.size.width - image.left))
        let rows = min(image.size.height, max(0, facts.size.height - image.top))
        let source = drawn.plane(0)
        for y in 0..<rows {
            let start = (image.top + y) * facts.size.width + image.left
            source.row(y).withMemoryRebound(to: UInt32.self, capacity: image.size.width) { row in
                for x in 0..<columns where row[x] >> 24 != 0 { canvas[start + x] = row[x] }
            }
        }
        let shown = try VideoFrame(libav: AV_PIX_FMT_BGRA, facts.size)
        let target = shown.plane(0)
        canvas.withUnsafeBytes { pixels in
            for y in 0..<facts.size.height {
                let row = UnsafeMutableRawBufferPointer(start: target.row(y), count: facts.size.width * 4)
                row.copyMemory(from: UnsafeRawBufferPointer(rebasing: pixels[y * row.count..<(y + 1) * row.count]))
            }
        }
        switch image.disposal {
        case .keep: break
        case .restore: canvas = before
        case .clear:
            for y in 0..<rows {
                let start = (image.top + y) * facts.size.width + image.left
                for x in 0..<columns { canvas[start + x] = 0 }
            }
        }
        return shown
    }
}
