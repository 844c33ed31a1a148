import ExportPlan
import Media
import Soundtrack

/// A mix that is brought to a loudness and limited to a true peak. The gain is found by measuring the limited mix, so
/// that it compensates for what the limiter removes.
struct MasteredMix: Mix {
    /// The tolerance in LU; smaller differences cannot be measured reliably.
    private static let tolerance = 0.05
    private static let passes = 6
    private static let gains = -60.0...40.0

    private let mix: any Mix
    private let mastering: Mastering
    private let encode: AudioEncodeSettings
    private var gain = 0.0

    /// - Parameter progress: called for every block that is measured.
    /// - Throws: the errors of reading the mix; `MediaError` `outOfMemory`.
    init(_ mix: any Mix, _ mastering: Mastering, _ encode: AudioEncodeSettings, _ progress: () -> Void) throws {
        self.mix = mix
        self.mastering = mastering
        self.encode = encode
        guard let wanted = mastering.loudness else { return }
        for _ in 0..<MasteredMix.passes {
            let meter = try LoudnessMeter(sampleRate: encode.sampleRate, channels: encode.channels)
            try read { block in
                meter.add(block)
                progress()
            }
            // Silence has no loudness, and no gain can change it.
            guard let loudness = meter.integratedLoudness else { return }
            if abs(wanted - loudness) < MasteredMix.tolerance { return }
            gain = min(max(gain + wanted - loudness, MasteredMix.gains.lowerBound), MasteredMix.gains.upperBound)
        }
    }

    func read(_ emit: (UnsafeBufferPointer<Float>) throws -> Void) throws {
        let limiter = TruePeakLimiter(
            ceiling: Decibels.amplitude(mastering.truePeak), sampleRate: encode.sampleRate, channels: encode.channels
        )
        let factor = Float(Decibels.amplitude(gain))
        var scaled: [Float] = []
        try mix.read { block in
            scaled.removeAll(keepingCapacity: true)
            scaled.append(contentsOf: block.lazy.map { $0 * factor })
            try scaled.withUnsafeBufferPointer { try limiter.process($0, emit) }
        }
        try limiter.finish(emit)
    }
}
