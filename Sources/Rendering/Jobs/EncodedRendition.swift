import ExportPlan
import Media

/// A track of a picture segment: the composed pictures in one size, encoded.
struct EncodedRendition {
    private let encoder: VideoEncoder
    private let writer: MovieWriter
    /// The size to which pictures are scaled; nil where they are composed in it.
    private let scaledSize: FrameSize?
    private let scaler = PictureScaler(subject: "frame")

    /// - Parameter number: of the track among those of the segment, from 0.
    init(
        _ slice: VideoSlice, _ size: FrameSize, number: Int, _ pass: VideoPass, _ palette: Palette?, to writer: MovieWriter
    ) throws {
        encoder = try VideoEncoder(
            slice.encode, size: size, frameRate: slice.frameRate, pass: pass, palette: palette,
            track: number == 0 ? .video : .furtherVideo(number))
        scaledSize = size == slice.canvas ? nil : size
        self.writer = writer
        try writer.add(encoder)
    }

    /// The size of all packets so far, in bytes.
    var byteCount: Int { encoder.byteCount }

    /// Encodes a composed picture as number `index` of the segment.
    func encode(_ frame: VideoFrame, index: Int) throws {
        let scaled = try scaledSize.map { try scaler.scale(frame, region: .whole, color: .bt709, to: .yuv420, size: $0) }
        try encoder.encode(scaled ?? frame, index: index, to: writer)
    }

    /// Encodes the pictures that are still held back.
    func finish() throws { try encoder.finish(to: writer) }
}
