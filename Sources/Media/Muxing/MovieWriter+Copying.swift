import CFFmpeg
package import ExactTime
import ExportPlan
import Vocabulary

extension MovieWriter {
    /// Adds a track for packets copied from a source, with the source's codec parameters, side data and codec tag.
    package func add(copying reader: CopiedRangeReader, _ track: CopiedRangeReader.Track) throws(MediaError) {
        _ = try add(
            track == .video ? .video : .audio, reader.timeBase, reader.parameters, reader.sideData, rate: reader.averageRate)
    }

    /// Adds a video track that mixes copied pictures with encoded ones.
    /// - Parameters:
    ///   - copied: the copied pictures, whose parameters and side data describe the track.
    ///   - encoded: the encoded pictures, whose parameter sets are added to the track's; nil if there are none.
    package func add(splicing copied: SplicedReader, _ encoded: SplicedReader?, _ rate: FrameRate) throws(MediaError) {
        let duration = rate.frameDuration.seconds
        let stream = try add(.video, duration, copied.parameters, copied.sideData, rate: AVRational(rate.framesPerSecond))
        guard let encoded, copied.hasNumberedParameterSets else { return }
        let sets = copied.parameterSets + encoded.parameterSets
        let place = try LibavResult.allocated(av_mallocz(sets.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)), path)
            .assumingMemoryBound(to: UInt8.self)
        place.update(from: sets, count: sets.count)
        av_free(stream.pointee.codecpar.pointee.extradata)
        stream.pointee.codecpar.pointee.extradata = place
        stream.pointee.codecpar.pointee.extradata_size = Int32(sets.count)
    }

    private func add(
        _ track: Track, _ timeBase: Rational, _ parameters: UnsafeMutablePointer<AVCodecParameters>?,
        _ sideData: [(type: AVPacketSideDataType, bytes: [UInt8])], rate: AVRational
    ) throws(MediaError) -> UnsafeMutablePointer<AVStream> {
        let stream = try newStream(track, timeBase: AVRational(timeBase))
        avcodec_parameters_copy(stream.pointee.codecpar, parameters)
        stream.pointee.codecpar.pointee.codec_tag = tag(of: stream.pointee.codecpar.pointee)
        stream.pointee.avg_frame_rate = rate
        for data in sideData {
            let place = try LibavResult.allocated(av_stream_new_side_data(stream, data.type, data.bytes.count), path)
            place.update(from: data.bytes, count: data.bytes.count)
        }
        return stream
    }

    /// The codec tag that players expect, or else the source's tag if this file type knows it; 0 leaves the choice to
    /// libavformat.
    private func tag(of parameters: AVCodecParameters) -> UInt32 {
        let wanted = format.tag(of: parameters.codec_id)
        if wanted != 0 { return wanted }
        let isKnown = av_codec_get_id(context.pointee.oformat.pointee.codec_tag, parameters.codec_tag) == parameters.codec_id
        return isKnown ? parameters.codec_tag : 0
    }
}

extension AVRational {
    /// Converts a clock or a rate, whose numerator and denominator are small.
    fileprivate init(_ value: Rational) {
        self.init(num: Int32(value.numerator), den: Int32(value.denominator))
    }
}
