import CFFmpeg
public import ExactTime
public import ExportPlan

/// Reads the packets of a file's one stream as they are, for copying.
public final class PacketReader {
    private let demuxer: Demuxer
    private let packet: Packet
    private let stream: UnsafeMutablePointer<AVStream>

    /// - Throws: `MediaError` when the file cannot be read; an artifact that is damaged shows here.
    public init(path: String) throws(MediaError) {
        demuxer = try Demuxer(path: path)
        packet = try Packet()
        guard let stream = demuxer.streamPointer(0) else {
            throw MediaError(.damaged, subject: path, message: "has no stream")
        }
        self.stream = stream
    }

    var parameters: UnsafeMutablePointer<AVCodecParameters>? { stream.pointee.codecpar }

    public var timeBase: Rational { stream.pointee.time_base.exact }

    /// The decoder's setup: parameter sets, in the container's form.
    public var parameterSets: [UInt8] {
        guard let parameters, let data = parameters.pointee.extradata else { return [] }
        return Array(UnsafeBufferPointer(start: data, count: Int(parameters.pointee.extradata_size)))
    }

    /// Whether the file's packets say themselves what of them is skipped, and no edit list does.
    public var hasMarks: Bool { !demuxer.containerName.hasPrefix("mov") }

    /// The next packet, valid until the following call; nil at the end.
    /// - Throws: `MediaError` `cannotRead` or `outOfMemory`.
    public func next() throws(MediaError) -> Packet? {
        try demuxer.read(into: packet) ? packet : nil
    }
}

/// The times of a packet that is copied into another file.
extension Packet {
    public var presentationTicks: Int64 { pointer.pointee.pts }
    public var decodingTicks: Int64 { pointer.pointee.dts }
    public var durationTicks: Int64 { pointer.pointee.duration }

    /// Copies the packet into a movie under new times.
    /// - Parameter keepsMarks: whether what is marked to be skipped stays so.
    public func copy(
        to writer: MovieWriter, track: MovieWriter.Track, presentation: Int64, decoding: Int64, duration: Int64,
        keepsMarks: Bool = false
    ) throws(MediaError) {
        pointer.pointee.pts = presentation
        pointer.pointee.dts = decoding
        pointer.pointee.duration = duration
        pointer.pointee.pos = -1
        // Edit lists of the segment's own file have left skip marks behind; the film has its own.
        if !keepsMarks { av_packet_free_side_data(pointer) }
        try writer.write(self, track: track)
    }
}
