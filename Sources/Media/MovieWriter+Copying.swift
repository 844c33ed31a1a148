import CFFmpeg
import ExactTime
public import ExportPlan
import Vocabulary

extension MovieWriter {
    /// Adds a track whose packets come from a source, as they are; so does what is said of its pictures, and what they are called.
    public func add(copying reader: StretchReader, _ track: StretchReader.Track) throws(MediaError) {
        let base = AVRational(num: Int32(reader.timeBase.numerator), den: Int32(reader.timeBase.denominator))
        let stream = try newStream(track == .video ? .video : .audio, timeBase: base)
        avcodec_parameters_copy(stream.pointee.codecpar, reader.parameters)
        stream.pointee.codecpar.pointee.codec_tag = tag(of: stream.pointee.codecpar.pointee)
        stream.pointee.avg_frame_rate = reader.averageRate
        for data in reader.sideData {
            let place = try LibavResult.allocated(av_stream_new_side_data(stream, data.type, data.bytes.count), path)
            place.update(from: data.bytes, count: data.bytes.count)
        }
    }

    /// What players want it to be called, else what the source calls it, where this kind of file knows that name; 0 leaves it to libavformat.
    private func tag(of parameters: AVCodecParameters) -> UInt32 {
        let wanted = settings.fileType.tag(of: parameters.codec_id)
        if wanted != 0 { return wanted }
        let isKnown = av_codec_get_id(context.pointee.oformat.pointee.codec_tag, parameters.codec_tag) == parameters.codec_id
        return isKnown ? parameters.codec_tag : 0
    }
}
