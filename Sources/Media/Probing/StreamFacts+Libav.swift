import CFFmpeg
import ExportPlan

extension StreamFacts {
    /// All streams of an open file, in its order.
    static func all(of demuxer: Demuxer) -> [StreamFacts] {
        (0..<Int(demuxer.context.pointee.nb_streams)).compactMap { index in
            demuxer.streamPointer(index).flatMap { StreamFacts(index, $0.pointee) }
        }
    }

    private init?(_ index: Int, _ stream: AVStream) {
        guard let parameters = stream.codecpar?.pointee else { return nil }
        let kind: Kind
        switch parameters.codec_type {
        case AVMEDIA_TYPE_VIDEO: kind = stream.disposition & AV_DISPOSITION_ATTACHED_PIC == 0 ? .video : .cover
        case AVMEDIA_TYPE_AUDIO: kind = .audio
        case AVMEDIA_TYPE_SUBTITLE: kind = .subtitle
        case AVMEDIA_TYPE_ATTACHMENT: kind = .attachment
        default: kind = .data
        }
        self.init(index: index, kind: kind, codec: String(cString: avcodec_get_name(parameters.codec_id)))
        tags = MediaTags.read(stream.metadata) ?? [:]
        language = tags["language"].flatMap { $0 == "und" ? nil : $0 }
        title = tags["title"]
        dispositions = StreamFacts.names(of: stream.disposition)
        if parameters.codec_type == AVMEDIA_TYPE_VIDEO, parameters.width > 0, parameters.height > 0 {
            size = FrameSize(width: Int(parameters.width), height: Int(parameters.height))
        }
        guard kind == .audio, parameters.ch_layout.nb_channels > 0 else { return }
        channels = Int(parameters.ch_layout.nb_channels)
        channelLayout = layoutName(of: parameters.ch_layout)
    }

    private static func names(of disposition: Int32) -> [String] {
        (0..<31).compactMap { bit in
            let flag = Int32(1) << Int32(bit)
            guard disposition & flag != 0, let name = av_disposition_to_string(flag) else { return nil }
            return String(cString: name)
        }.sorted()
    }
}

/// libavutil's name of a channel layout: `mono`, `stereo`, `5.1`, ...
func layoutName(of layout: AVChannelLayout) -> String {
    var layout = layout
    var name = [CChar](repeating: 0, count: 64)
    av_channel_layout_describe(&layout, &name, name.count)
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}
