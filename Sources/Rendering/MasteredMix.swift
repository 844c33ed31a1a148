import ExportPlan
import Media
import Soundtrack

/// A mix that has been brought to a loudness and below a true peak. The gain is found by measuring what comes out: what the limiter takes
/// away is given back.
struct MasteredMix: Mix {
    /// LU: below that nobody measures a difference.
    private static let tolerance = 0.05
    private static let rounds = 6
    private static let gains = -60.0...40.0

    private let mix: JoinedMix
    private let mastering: Mastering
    private let encode: AudioEncodeSettings
    private var gain = 0.0

    /// - Parameter progress: called for every block that is measured.
    /// - Throws: what reading the mix throws; `MediaError` `outOfMemory`.
    init(_ mix: JoinedMix, _ mastering: Mastering, _ encode: AudioEncodeSettings, _ progress: () -> Void) throws {
        self.mix = mix
        self.mastering = mastering
        self.encode = encode
        guard let wanted = mastering.loudness else { return }
        for _ in 0..<MasteredMix.rounds {
            let meter = try LoudnessMeter(sampleRate: encode.sampleRate, channels: encode.channels)
            try read { block in
                meter.add(block)
                progress()
            }
            // Silence is as loud as it can be.
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
