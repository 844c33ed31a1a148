import CEbur128
public import ExportPlan
public import Media

/// Integrated loudness and true peak of a sound, by libebur128 (EBU R 128, ITU-R BS.1770-4). Of 5.1, in libavutil's order, its fourth
/// channel does not count; one channel counts as it is, not as if it were heard from two sides.
public final class LoudnessMeter {
    private let state: UnsafeMutablePointer<ebur128_state>
    private let channels: Int

    /// - Throws: `MediaError` `outOfMemory`.
    public init(sampleRate: Int, channels: Int) throws(MediaError) {
        let mode = Int32(EBUR128_MODE_I.rawValue | EBUR128_MODE_TRUE_PEAK.rawValue)
        guard let state = ebur128_init(UInt32(channels), UInt(sampleRate), mode) else {
            throw MediaError(.outOfMemory, subject: "loudness", message: "cannot be measured: libebur128 cannot be set up")
        }
        self.state = state
        self.channels = channels
    }

    deinit {
        var freeing: UnsafeMutablePointer<ebur128_state>? = state
        ebur128_destroy(&freeing)
    }

    /// - Parameter samples: interleaved.
    public func add(_ samples: UnsafeBufferPointer<Float>) {
        guard let base = samples.baseAddress, !samples.isEmpty else { return }
        ebur128_add_frames_float(state, base, samples.count / channels)
    }

    /// In LUFS, of everything so far; nil of what is silent or shorter than 0.4 s.
    public var integratedLoudness: Double? {
        var value = 0.0
        guard ebur128_loudness_global(state, &value) == 0, value.isFinite else { return nil }
        return value
    }

    /// The highest of everything so far, of all channels; 1 is full scale.
    public var truePeak: Double {
        (0..<UInt32(channels)).reduce(0) { highest, channel in
            var peak = 0.0
            return ebur128_true_peak(state, channel, &peak) == 0 ? max(highest, peak) : highest
        }
    }
}
