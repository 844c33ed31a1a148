import CFFmpeg
package import ExactTime
import ExportPlan

/// Reads the packets of a file that has one stream, such as a segment, without decoding them.
package final class PacketReader {
    private let demuxer: Demuxer
    private let packet: Packet
    private let stream: UnsafeMutablePointer<AVStream>

    /// - Parameter examinesStream: whether the stream's description has to be complete, as a track that is made of it needs
    ///   it. For that the first pictures are decoded; packets and parameter sets can be read without.
    /// - Throws: `MediaError` if the file cannot be read or is damaged.
    package init(path: String, examinesStream: Bool = true) throws(MediaError) {
        demuxer = try Demuxer(path: path, examinesStreams: examinesStream)
        packet = try Packet()
        guard let stream = demuxer.streamPointer(0) else {
            throw MediaError(.damaged, subject: path, message: "has no stream")
        }
        self.stream = stream
    }

    var parameters: UnsafeMutablePointer<AVCodecParameters>? { stream.pointee.codecpar }

    package var timeBase: Rational { stream.pointee.time_base.exact }

    /// The decoder's setup: its parameter sets, in the container's format.
    package var parameterSets: [UInt8] {
        guard let parameters, let data = parameters.pointee.extradata else { return [] }
        return Array(UnsafeBufferPointer(start: data, count: Int(parameters.pointee.extradata_size)))
    }

    /// Whether the packets carry alpha in block additions, as Matroska declares it.
    package var hasTransparency: Bool {
        av_dict_get(stream.pointee.metadata, "alpha_mode", nil, 0).map { String(cString: $0.pointee.value) } == "1"
    }

    /// Whether the packets themselves say how much of them is skipped, instead of an edit list.
    package var hasMarks: Bool { !demuxer.containerName.hasPrefix("mov") }

    /// The next packet, valid until the following call; nil at the end.
    /// - Throws: `MediaError` `cannotRead` or `outOfMemory`.
    package func next() throws(MediaError) -> Packet? {
        try demuxer.read(into: packet) ? packet : nil
    }
}

/// The times of a packet, for copying it into another file.
extension Packet {
    package var presentationTicks: Int64 { pointer.pointee.pts }
    package var decodingTicks: Int64 { pointer.pointee.dts }
    package var durationTicks: Int64 { pointer.pointee.duration }

    /// Copies the packet into a film with new times.
    /// - Parameter keepsMarks: whether to keep the side data: marks that say which samples are skipped, and alpha.
    package func copy(
        to writer: MovieWriter, track: MovieWriter.Track, presentation: Int64, decoding: Int64, duration: Int64,
        keepsMarks: Bool = false
    ) throws(MediaError) {
        pointer.pointee.pts = presentation
        pointer.pointee.dts = decoding
        pointer.pointee.duration = duration
        pointer.pointee.pos = -1
        // libavformat turns the edit lists of the segment's file into skip marks; the film has edit lists of its own.
        if !keepsMarks { av_packet_free_side_data(pointer) }
        try writer.write(self, track: track)
    }
}
