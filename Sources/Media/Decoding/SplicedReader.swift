import CFFmpeg
package import ExactTime
import ExportPlan

/// Reads packets that will be joined with packets of another encoder in one stream. Keyframes of H.264 and HEVC carry
/// their parameter sets, and the first HEVC picture is marked so that decoders do not relate it to earlier pictures.
/// Packets of other codecs stay as they are.
///
/// Packets of H.264 and HEVC are returned in byte stream format (annex B of ITU-T H.264 and H.265).
package final class SplicedReader {
    package let timeBase: Rational
    /// Returns the next packet. The closure keeps the underlying reader alive, which owns the parameters.
    private let read: () throws(MediaError) -> Packet?
    private let filter: ParameterSetFilter?
    private let codec: AVCodecID
    private var isFirst = true
    let parameters: UnsafeMutablePointer<AVCodecParameters>
    let sideData: [(type: AVPacketSideDataType, bytes: [UInt8])]

    /// Reads an encoded segment.
    /// - Throws: `MediaError` if there is no stream.
    package convenience init(_ segment: PacketReader, path: String) throws(MediaError) {
        try self.init(segment.parameters, segment.timeBase, [], path) { () throws(MediaError) in try segment.next() }
    }

    /// Reads a copied range of a source: only the pictures that are shown, without those that only others need.
    /// - Throws: `MediaError` if there is no stream.
    package convenience init(_ range: CopiedRangeReader, path: String) throws(MediaError) {
        try self.init(range.parameters, range.timeBase, range.sideData, path) { () throws(MediaError) in
            try range.nextShown()
        }
    }

    private init(
        _ parameters: UnsafeMutablePointer<AVCodecParameters>?, _ timeBase: Rational,
        _ sideData: [(type: AVPacketSideDataType, bytes: [UInt8])], _ path: String,
        _ read: @escaping () throws(MediaError) -> Packet?
    ) throws(MediaError) {
        guard let parameters else { throw MediaError(.damaged, subject: path, message: "has no stream") }
        self.timeBase = timeBase
        self.sideData = sideData
        self.read = read
        codec = parameters.pointee.codec_id
        filter = try ParameterSetFilter(parameters, path)
        self.parameters = filter?.parameters ?? parameters
    }

    /// Whether its parameter sets can coexist with others in one stream because each has its own identifier.
    var hasNumberedParameterSets: Bool { codec == AV_CODEC_ID_H264 }

    /// The parameter sets, in byte stream format.
    var parameterSets: [UInt8] {
        guard let data = parameters.pointee.extradata else { return [] }
        return Array(UnsafeBufferPointer(start: data, count: Int(parameters.pointee.extradata_size)))
    }

    /// Whether the packet yields a shown picture.
    package func isShown(_ packet: Packet) -> Bool { packet.isShown(codec) }

    /// The next packet, valid until the following call; nil at the end.
    package func next() throws(MediaError) -> Packet? {
        guard let packet = try read() else { return nil }
        try filter?.filter(packet)
        if isFirst, codec == AV_CODEC_ID_HEVC { NALUnits.markBrokenLink(packet) }
        isFirst = false
        return packet
    }
}

/// Converts packets from length prefixes to byte stream format with libavcodec's bitstream filters, which insert
/// parameter sets before keyframes.
private final class ParameterSetFilter {
    private let context: UnsafeMutablePointer<AVBSFContext>
    private let subject: String

    /// - Returns: nil for codecs that have no parameter sets.
    init?(_ parameters: UnsafeMutablePointer<AVCodecParameters>, _ subject: String) throws(MediaError) {
        let name: String
        switch parameters.pointee.codec_id {
        case AV_CODEC_ID_H264: name = "h264_mp4toannexb"
        case AV_CODEC_ID_HEVC: name = "hevc_mp4toannexb"
        default: return nil
        }
        self.subject = subject
        context = try BitstreamFilter.open(name, parameters, subject)
    }

    deinit {
        var freeing: UnsafeMutablePointer<AVBSFContext>? = context
        av_bsf_free(&freeing)
    }

    var parameters: UnsafeMutablePointer<AVCodecParameters> { context.pointee.par_out }

    /// Converts one packet into one packet.
    func filter(_ packet: Packet) throws(MediaError) {
        LibavLog.begin()
        let problem = "has a packet that cannot be copied"
        try LibavResult.check(av_bsf_send_packet(context, packet.pointer), subject, problem, .damaged)
        try LibavResult.check(av_bsf_receive_packet(context, packet.pointer), subject, problem, .damaged)
    }
}
