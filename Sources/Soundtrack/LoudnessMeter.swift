import CEbur128
import ExportPlan
package import Media

/// Measures the integrated loudness and the true peak of a sound with libebur128 (EBU R 128, ITU-R BS.1770-4). In 5.1
/// in libavutil's order, the fourth channel (LFE) does not count. A mono sound counts as one channel, not as if it were
/// played from two sides.
package final class LoudnessMeter {
    private let state: UnsafeMutablePointer<ebur128_state>
    private let channels: Int

    /// - Throws: `MediaError` `outOfMemory`.
    package init(sampleRate: Int, channels: Int) throws(MediaError) {
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
    package func add(_ samples: UnsafeBufferPointer<Float>) {
        guard let base = samples.baseAddress, !samples.isEmpty else { return }
        ebur128_add_frames_float(state, base, samples.count / channels)
    }

    /// The integrated loudness of all samples so far, in LUFS; nil if they are silent or shorter than 0.4 s.
    package var integratedLoudness: Double? {
        var value = 0.0
        guard ebur128_loudness_global(state, &value) == 0, value.isFinite else { return nil }
        return value
    }

    /// The highest true peak of all samples so far and of all channels; 1 is full scale.
    package var truePeak: Double {
        (0..<UInt32(channels)).reduce(0) { highest, channel in
            var peak = 0.0
            return ebur128_true_peak(state, channel, &peak) == 0 ? max(highest, peak) : highest
        }
    }
}
