import ExportPlan

/// The peaks of the sound, as the file `waveform.json`.
struct PreviewWaveform: Encodable {
    private static let peaksPerSecond = 20

    var samplesPerSecond = PreviewWaveform.peaksPerSecond
    /// The highest magnitude of each interval, 0...1, to a thousandth.
    var peaks: [Double]

    init(_ peaks: SoundPeaks) {
        self.peaks = zip(peaks.lowest, peaks.highest).map { low, high in
            (Double(max(abs(Int(low)), abs(Int(high)))) / 32.768).rounded() / 1000
        }
    }

    /// The request to the renderer.
    static func request(_ encode: AudioEncodeSettings) -> WaveformRequest {
        WaveformRequest(
            sampleRate: encode.sampleRate, channels: encode.channels, samplesPerPoint: max(1, encode.sampleRate / peaksPerSecond))
    }
}
