import CFFmpeg
package import ExportPlan
import Vocabulary

/// The packets of an encoder that are kept, where it begins before or ends behind what is wanted.
package struct AudioPacketRange: Hashable, Sendable {
    /// The number of packets that are dropped first.
    package var first: Int
    /// The number of packets that are kept; nil for all behind those.
    package var count: Int?

    package init(first: Int, count: Int?) {
        self.first = first
        self.count = count
    }
}

/// Encodes a film's sound from interleaved 32-bit float samples, in one run from the first to the last.
package final class AudioEncoder {
    let context: EncoderContext
    private let channels: Int
    private let kept: AudioPacketRange?
    private var packets = 0
    /// The time of the first packet that is kept, where packets before it are dropped.
    private var start: Int64?
    /// The number of packets that were written.
    package private(set) var keptPackets = 0
    private let frame: VideoFrame
    private var pending: [Float] = []
    private var nextSample: Int64 = 0

    /// - Parameter packets: the packets that are written; nil for all. Where the first ones are dropped, the first that is
    ///   written has the time 0.
    package init(_ settings: AudioEncodeSettings, keeping packets: AudioPacketRange? = nil) throws(MediaError) {
        channels = settings.channels
        kept = packets
        let codec = settings.codec.format
        // No audio encoder has a choice of speeds.
        let options = codec.options.map { ($0.name, $0.text(forSpeed: "")) }
        context = try EncoderContext(codec.encoder, options: options) { context in
            context.pointee.sample_rate = Int32(settings.sampleRate)
            context.pointee.sample_fmt = codec.samples.libav
            if !codec.isLossless { context.pointee.bit_rate = Int64(settings.bitrate) }
            av_channel_layout_default(&context.pointee.ch_layout, Int32(settings.channels))
            context.pointee.time_base = AVRational(num: 1, den: Int32(settings.sampleRate))
            context.pointee.thread_count = 1
        }
        frame = try VideoFrame()
    }

    /// The number of samples that the encoder adds before the first one. The container tells players to skip them.
    package var delay: Int { Int(context.pointer.pointee.initial_padding) }

    /// Whether the packets begin with that silence.
    var keepsDelay: Bool { kept.map { $0.first == 0 } ?? true }

    /// - Parameter samples: interleaved, -1...1. Values outside of that range are clipped here, at the last step.
    package func encode(_ samples: UnsafeBufferPointer<Float>, to writer: MovieWriter) throws(MediaError) {
        pending.append(contentsOf: samples.lazy.map { min(1, max(-1, $0)) })
        // An encoder that accepts frames of any size gets 4096 samples per frame.
        let wanted = Int(context.pointer.pointee.frame_size)
        let block = wanted > 0 ? wanted : 4096
        var used = 0
        while pending.count - used >= block * channels {
            try send(from: used, count: block, to: writer)
            used += block * channels
        }
        pending.removeFirst(used)
    }

    package func finish(to writer: MovieWriter) throws(MediaError) {
        if !pending.isEmpty { try send(from: 0, count: pending.count / channels, to: writer) }
        pending = []
        try context.encode(nil) { packet throws(MediaError) in try write(packet, to: writer) }
    }

    private func send(from start: Int, count: Int, to writer: MovieWriter) throws(MediaError) {
        av_frame_unref(frame.pointer)
        let raw = frame.pointer
        raw.pointee.format = context.pointer.pointee.sample_fmt.rawValue
        raw.pointee.nb_samples = Int32(count)
        raw.pointee.sample_rate = context.pointer.pointee.sample_rate
        av_channel_layout_copy(&raw.pointee.ch_layout, &context.pointer.pointee.ch_layout)
        try LibavResult.check(av_frame_get_buffer(raw, 0), "sound", "needs more memory than there is", .outOfMemory)
        fill(from: start, count: count)
        raw.pointee.pts = nextSample
        nextSample += Int64(count)
        try context.encode(raw) { packet throws(MediaError) in try write(packet, to: writer) }
    }

    /// Writes a packet where it is one of those that are kept.
    private func write(_ packet: Packet, to writer: MovieWriter) throws(MediaError) {
        let number = packets
        packets += 1
        if let kept {
            guard number >= kept.first, kept.count.map({ number < kept.first + $0 }) ?? true else { return }
            if kept.first > 0 {
                let start = start ?? packet.presentationTicks
                self.start = start
                packet.delay(by: -start)
            }
        }
        keptPackets += 1
        try writer.write(packet, track: .audio)
    }

    private func fill(from start: Int, count: Int) {
        switch context.pointer.pointee.sample_fmt {
        case AV_SAMPLE_FMT_FLT:
            frame.data(0)?.withMemoryRebound(to: Float.self, capacity: count * channels) { samples in
                for index in 0..<(count * channels) { samples[index] = pending[start + index] }
            }
        case AV_SAMPLE_FMT_S16:
            frame.data(0)?.withMemoryRebound(to: Int16.self, capacity: count * channels) { samples in
                for index in 0..<(count * channels) {
                    samples[index] = Int16(min(32_767, (pending[start + index] * 32_768).rounded()))
                }
            }
        default:
            for channel in 0..<channels {
                frame.data(channel)?.withMemoryRebound(to: Float.self, capacity: count) { plane in
                    for sample in 0..<count { plane[sample] = pending[start + sample * channels + channel] }
                }
            }
        }
    }
}
