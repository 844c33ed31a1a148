import CFFmpeg
import ExactTime
import ExportPlan

/// Finds out whether a stream is interlaced: by the marks of its first picture, by the container, and where neither says
/// anything, by looking at pictures with libavfilter's idet.
enum FieldSearch {
    /// Codecs that do not say whether their frames are interlaced, by libavcodec's names.
    private static let silentCodecs: Set = [
        "rawvideo", "v210", "huffyuv", "ffvhuff", "utvideo", "ffv1", "mjpeg", "jpeg2000", "cinepak", "msvideo1",
    ]
    /// The number of pictures that are looked at.
    private static let pictures = 60
    /// Television has at least so many lines in a frame; smaller pictures were scaled, which mixes fields.
    private static let lines = 288

    /// - Parameters:
    ///   - first: the first picture of the stream.
    ///   - facts: what is known of the stream.
    /// - Returns: nil for a progressive stream.
    static func interlacing(
        of first: VideoFrame, _ stream: UnsafeMutablePointer<AVStream>, _ facts: VideoFacts, _ file: SourceFile
    ) throws(MediaError) -> Interlacing? {
        let frame = first.pointer.pointee
        if frame.interlaced_frame != 0 {
            return Interlacing(order: frame.top_field_first != 0 ? .topFieldFirst : .bottomFieldFirst, isMarked: true)
        }
        switch stream.pointee.codecpar.pointee.field_order {
        // The second letter is the field that is shown first.
        case AV_FIELD_TT, AV_FIELD_BT: return Interlacing(order: .topFieldFirst, isMarked: false)
        case AV_FIELD_BB, AV_FIELD_TB: return Interlacing(order: .bottomFieldFirst, isMarked: false)
        case AV_FIELD_UNKNOWN:
            guard silentCodecs.contains(facts.codec), facts.size.height >= lines, facts.frameCount > 1 else { return nil }
            return try seen(facts, file).map { Interlacing(order: $0, isMarked: false) }
        default: return nil
        }
    }

    /// The order of the fields of which most of the pictures seem to be made.
    private static func seen(_ facts: VideoFacts, _ file: SourceFile) throws(MediaError) -> FieldOrder? {
        let stream = try PictureStream(facts, file)
        var graph: FilterGraph?
        var found: VideoFrame?
        for _ in 0..<pictures {
            try file.checkTime()
            guard let picture = try stream.next() else { break }
            let open: FilterGraph
            if let graph {
                open = graph
            } else {
                open = try FilterGraph(
                    "[in0]idet[out]",
                    inputs: [.init(size: facts.size, pixelFormat: picture.frame.pixelFormat, timeBase: facts.timeBase)])
                graph = open
            }
            picture.frame.pointer.pointee.pts = picture.timestamp
            guard picture.frame.size == facts.size else { break }
            try open.push(picture.frame)
            while let next = try open.pull() { found = next }
        }
        try graph?.push(nil)
        while let next = try graph?.pull() { found = next }
        guard let found else { return nil }
        func count(_ name: String) -> Double {
            guard let entry = av_dict_get(found.pointer.pointee.metadata, "lavfi.idet.multiple.\(name)", nil, 0),
                let value = entry.pointee.value
            else { return 0 }
            return Double(String(cString: value)) ?? 0
        }
        let (top, bottom) = (count("tff"), count("bff"))
        // Pictures without motion look progressive, and noise looks interlaced in both orders.
        guard max(top, bottom) > count("progressive"), max(top, bottom) > 3 * min(top, bottom) else { return nil }
        return top > bottom ? .topFieldFirst : .bottomFieldFirst
    }
}
