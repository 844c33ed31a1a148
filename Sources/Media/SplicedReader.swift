import CFFmpeg
public import ExactTime
public import ExportPlan

/// Reads packets that will stand beside another encoder's: keyframes of H.264 and HEVC bring their parameter sets, and no decoder takes
/// the first picture for one that leans on what comes before. Packets of other codecs stay as they are.
///
/// Packets of H.264 and HEVC come out in byte stream format (annex B of ITU-T H.264 and H.265).
public final class SplicedReader {
    public let timeBase: Rational
    /// Keeps what it reads from alive, which owns the parameters.
    private let read: () throws(MediaError) -> Packet?
    private let filter: ParameterSetFilter?
    private let codec: AVCodecID
    private var isFirst = true
    let parameters: UnsafeMutablePointer<AVCodecParameters>
    let sideData: [(type: AVPacketSideDataType, bytes: [UInt8])]

    /// Of an encoded segment.
    /// - Throws: `MediaError` when there is nothing to read.
    public convenience init(_ segment: PacketReader, path: String) throws(MediaError) {
        try self.init(segment.parameters, segment.timeBase, [], path) { () throws(MediaError) in try segment.next() }
    }

    /// Of a stretch of a source: the pictures that are seen, and none that would be needed for others only.
    /// - Throws: `MediaError` when there is nothing to read.
    public convenience init(_ stretch: StretchReader, path: String) throws(MediaError) {
        try self.init(stretch.parameters, stretch.timeBase, stretch.sideData, path) { () throws(MediaError) in
            try stretch.nextShown()
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

    /// Whether its parameter sets can stand beside others', each with a number of its own.
    var namesParameterSets: Bool { codec == AV_CODEC_ID_H264 }

    /// In byte stream format.
    var parameterSets: [UInt8] {
        guard let data = parameters.pointee.extradata else { return [] }
        return Array(UnsafeBufferPointer(start: data, count: Int(parameters.pointee.extradata_size)))
    }

    /// Whether a picture comes out for it.
    public func isShown(_ packet: Packet) -> Bool { packet.isShown(codec) }

    /// The next packet, valid until the following call; nil at the end.
    public func next() throws(MediaError) -> Packet? {
        guard let packet = try read() else { return nil }
        try filter?.filter(packet)
        if isFirst, codec == AV_CODEC_ID_HEVC { NALUnits.breakLink(packet) }
        isFirst = false
        return packet
    }
}

/// libavcodec's way from packets behind their lengths to the byte stream format; it puts parameter sets before keyframes.
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

    /// One packet becomes one.
    func filter(_ packet: Packet) throws(MediaError) {
        LibavLog.begin()
        let problem = "has a packet that cannot be copied"
        try LibavResult.check(av_bsf_send_packet(context, packet.pointer), subject, problem, .damaged)
        try LibavResult.check(av_bsf_receive_packet(context, packet.pointer), subject, problem, .damaged)
    }
}
