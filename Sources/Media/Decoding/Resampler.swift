import CFFmpeg
import ExactTime

/// Resamples one source with libswresample, from any channel layout and rate to interleaved floats at the film's rate
/// and channels.
///
/// Channels are mixed with libswresample's standard matrices (ITU-R BS.775 coefficients, not scaled down), except
/// between mono and stereo: mono goes to both sides at full level, and stereo becomes mono by the mean.
final class Resampler {
    let targetRate: Int
    /// The number of source samples per output sample.
    let sourceSamplesPerOutput: Rational
    /// The resampler's phase repeats after this many source samples, which give this many output samples.
    let period: (source: Int, output: Int)
    private let subject: String
    private let channels: Int
    private let rates: (source: Int32, target: Int32)
    private var context: OpaquePointer?
    private var layout = AVChannelLayout()
    private var format: Int32 = -1

    /// - Parameter sourceRate: samples per second of the source as it is played.
    init(subject: String, sourceRate: Rational, targetRate: Int, channels: Int) {
        self.subject = subject
        self.targetRate = targetRate
        self.channels = channels
        let ratio = sourceRate / Rational(targetRate)
        sourceSamplesPerOutput = ratio
        period = (Int(ratio.numerator), Int(ratio.denominator))
        // libswresample accepts only integer rates, so it gets the ratio itself, scaled up to the size of rates.
        let scale = max(1, 8000 / max(1, min(ratio.numerator, ratio.denominator)))
        let limit = Int64(Int32.max)
        rates = (Int32(min(limit, ratio.numerator * scale)), Int32(min(limit, ratio.denominator * scale)))
    }

    deinit {
        swr_free(&context)
        av_channel_layout_uninit(&layout)
    }

    /// Discards all samples that were fed.
    func reset() throws(MediaError) {
        swr_free(&context)
        format = -1
    }

    func feed(_ frame: UnsafeMutablePointer<AVFrame>, skipping skip: Int, into buffer: inout [Float]) throws(MediaError) {
        try prepare(for: frame, into: &buffer)
        let planar = av_sample_fmt_is_planar(AVSampleFormat(rawValue: frame.pointee.format)) != 0
        let sampleBytes = Int(av_get_bytes_per_sample(AVSampleFormat(rawValue: frame.pointee.format)))
        let planes = planar ? Int(frame.pointee.ch_layout.nb_channels) : 1
        let step = planar ? sampleBytes : sampleBytes * Int(frame.pointee.ch_layout.nb_channels)
        let inputs = (0..<planes).map { UnsafePointer<UInt8>(frame.pointee.extended_data[$0]).map { $0 + skip * step } }
        try convert(inputs, Int(frame.pointee.nb_samples) - skip, into: &buffer)
    }

    /// Feeds `count` silent samples in the format of `frame`.
    func feedSilence(_ count: Int, like frame: UnsafeMutablePointer<AVFrame>, into buffer: inout [Float]) throws(MediaError) {
        try prepare(for: frame, into: &buffer)
        let blockLength = 8192
        let format = AVSampleFormat(rawValue: frame.pointee.format)
        let bytes = Int(av_get_bytes_per_sample(format)) * Int(frame.pointee.ch_layout.nb_channels) * blockLength
        // Unsigned 8-bit sound has its zero in the middle.
        let zero: UInt8 = format == AV_SAMPLE_FMT_U8 || format == AV_SAMPLE_FMT_U8P ? 0x80 : 0
        let silence = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes)
        silence.initialize(repeating: zero, count: bytes)
        defer { silence.deallocate() }
        let inputs = [UnsafePointer<UInt8>?](repeating: UnsafePointer(silence), count: Int(frame.pointee.ch_layout.nb_channels))
        var left = count
        while left > 0 {
            try convert(inputs, min(blockLength, left), into: &buffer)
            left -= blockLength
        }
    }

    /// Returns the samples that the filter still holds at the end of the source.
    func drain(into buffer: inout [Float]) throws(MediaError) {
        guard context != nil else { return }
        try convert([], 0, into: &buffer)
    }

    /// Creates the context for the format of `frame`, again if a source changes its format on the way.
    private func prepare(for frame: UnsafeMutablePointer<AVFrame>, into buffer: inout [Float]) throws(MediaError) {
        if context != nil, format == frame.pointee.format, av_channel_layout_compare(&layout, &frame.pointee.ch_layout) == 0 {
            return
        }
        try drain(into: &buffer)
        swr_free(&context)
        av_channel_layout_uninit(&layout)
        av_channel_layout_copy(&layout, &frame.pointee.ch_layout)
        format = frame.pointee.format
        var named = AVChannelLayout()
        defer { av_channel_layout_uninit(&named) }
        if layout.order == AV_CHANNEL_ORDER_UNSPEC {
            av_channel_layout_default(&named, layout.nb_channels)
        } else {
            av_channel_layout_copy(&named, &layout)
        }
        var target = AVChannelLayout()
        defer { av_channel_layout_uninit(&target) }
        av_channel_layout_default(&target, Int32(channels))
        LibavLog.begin()
        try LibavResult.check(
            swr_alloc_set_opts2(
                &context, &target, AV_SAMPLE_FMT_FLT, rates.target, &named, AVSampleFormat(rawValue: format), rates.source, 0, nil
            ),
            subject, "its sound cannot be converted", .damaged)
        let options = UnsafeMutableRawPointer(context)
        av_opt_set_int(options, "internal_sample_fmt", Int64(AV_SAMPLE_FMT_FLTP.rawValue), 0)
        av_opt_set_double(options, "rematrix_maxval", 1000, 0)
        av_opt_set_int(options, "exact_rational", 1, 0)
        if let matrix = monoStereoMatrix(from: Int(named.nb_channels)) {
            swr_set_matrix(context, matrix, Int32(named.nb_channels))
        }
        try LibavResult.check(swr_init(context), subject, "its sound cannot be converted", .damaged)
    }

    private func monoStereoMatrix(from sourceChannels: Int) -> [Double]? {
        switch (sourceChannels, channels) {
        case (1, 2): [1, 1]
        case (2, 1): [0.5, 0.5]
        default: nil
        }
    }

    private func convert(_ inputs: [UnsafePointer<UInt8>?], _ count: Int, into buffer: inout [Float]) throws(MediaError) {
        let room = Int(swr_get_out_samples(context, Int32(count)))
        guard room > 0 else { return }
        let start = buffer.count
        buffer.append(contentsOf: repeatElement(0, count: room * channels))
        var inputs = inputs
        let isEnd = inputs.isEmpty
        let made = buffer.withUnsafeMutableBufferPointer { buffer in
            inputs.withUnsafeMutableBufferPointer { inputs in
                buffer.baseAddress.map { base in
                    (base + start).withMemoryRebound(to: UInt8.self, capacity: room * channels * 4) { bytes in
                        var output: UnsafeMutablePointer<UInt8>? = bytes
                        return Int(swr_convert(context, &output, Int32(room), isEnd ? nil : inputs.baseAddress, Int32(count)))
                    }
                } ?? 0
            }
        }
        try LibavResult.check(Int32(made), subject, "its sound cannot be converted", .damaged)
        buffer.removeLast((room - made) * channels)
    }
}
