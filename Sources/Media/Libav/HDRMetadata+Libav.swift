import CFFmpeg
import ExactTime
import ExportPlan

/// Reads HDR metadata from sources and writes it into containers.
extension Probe {
    /// The HDR metadata of the first picture, where HEVC and AV1 store it, or else of the container.
    static func hdrMetadata(of frame: VideoFrame, _ stream: UnsafeMutablePointer<AVStream>) -> HDRMetadata? {
        func data(_ inFrame: AVFrameSideDataType, _ inStream: AVPacketSideDataType) -> UnsafeMutableRawPointer? {
            if let side = av_frame_get_side_data(frame.pointer, inFrame) { return UnsafeMutableRawPointer(side.pointee.data) }
            return av_stream_get_side_data(stream, inStream, nil).map { UnsafeMutableRawPointer($0) }
        }
        let display = data(AV_FRAME_DATA_MASTERING_DISPLAY_METADATA, AV_PKT_DATA_MASTERING_DISPLAY_METADATA)
        let content = data(AV_FRAME_DATA_CONTENT_LIGHT_LEVEL, AV_PKT_DATA_CONTENT_LIGHT_LEVEL)
        return HDRMetadata(
            masteringDisplay: display.flatMap { MasteringDisplay($0.load(as: AVMasteringDisplayMetadata.self)) },
            contentLight: content.flatMap { ContentLight($0.load(as: AVContentLightMetadata.self)) })
    }
}

extension MasteringDisplay {
    /// Nil unless all values are known.
    fileprivate init?(_ data: AVMasteringDisplayMetadata) {
        guard data.has_primaries != 0, data.has_luminance != 0, data.max_luminance.exact > .zero else { return nil }
        func chromaticity(_ pair: (AVRational, AVRational)) -> Chromaticity { Chromaticity(x: pair.0.exact, y: pair.1.exact) }
        self.init(
            red: chromaticity(data.display_primaries.0), green: chromaticity(data.display_primaries.1),
            blue: chromaticity(data.display_primaries.2), white: chromaticity(data.white_point),
            minLuminance: data.min_luminance.exact, maxLuminance: data.max_luminance.exact)
    }
}

extension ContentLight {
    /// Nil if both values are zero, which means unknown.
    fileprivate init?(_ data: AVContentLightMetadata) {
        guard data.MaxCLL > 0 || data.MaxFALL > 0 else { return nil }
        self.init(maxContent: Int(data.MaxCLL), maxFrameAverage: Int(data.MaxFALL))
    }
}

extension HDRMetadata {
    /// Adds the metadata to a stream, so that the muxer writes it into the container.
    func add(to stream: UnsafeMutablePointer<AVStream>) throws(MediaError) {
        func sideData<Content>(_ type: AVPacketSideDataType, for: Content.Type) throws(MediaError) -> UnsafeMutablePointer<
            Content
        > {
            let bytes = av_stream_new_side_data(stream, type, MemoryLayout<Content>.size)
            return UnsafeMutableRawPointer(try LibavResult.allocated(bytes, "stream")).assumingMemoryBound(to: Content.self)
        }
        if let display = masteringDisplay {
            try sideData(AV_PKT_DATA_MASTERING_DISPLAY_METADATA, for: AVMasteringDisplayMetadata.self).initialize(
                to: display.libav)
        }
        if let content = contentLight {
            try sideData(AV_PKT_DATA_CONTENT_LIGHT_LEVEL, for: AVContentLightMetadata.self).initialize(
                to: AVContentLightMetadata(MaxCLL: UInt32(content.maxContent), MaxFALL: UInt32(content.maxFrameAverage)))
        }
    }
}

extension MasteringDisplay {
    fileprivate var libav: AVMasteringDisplayMetadata {
        func pair(_ place: Chromaticity) -> (AVRational, AVRational) { (AVRational(place.x), AVRational(place.y)) }
        return AVMasteringDisplayMetadata(
            display_primaries: (pair(red), pair(green), pair(blue)), white_point: pair(white),
            min_luminance: AVRational(minLuminance), max_luminance: AVRational(maxLuminance), has_primaries: 1, has_luminance: 1)
    }
}

extension AVRational {
    /// Converts a number whose numerator and denominator fit into 32 bits.
    fileprivate init(_ value: Rational) {
        self.init(num: Int32(value.numerator), den: Int32(value.denominator))
    }
}
