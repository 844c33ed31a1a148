/// A filter of a sound. Each is one or several of FFmpeg's audio filters, and its parameters have their long names, written
/// `noiseReduction` for `noise_reduction`.
package enum AudioFilterKind: String, CaseIterable, Hashable, Sendable, Codable {
    case highpass, lowpass, equalizer, compressor, gate, denoise, deesser, echo, reverb
    /// Plug-ins of the machine, whose controls they declare themselves.
    case ladspa, lv2

    /// A number of a filter.
    package struct Parameter: Hashable, Sendable {
        package var name: String
        package var range: ClosedRange<Double>
        /// The value where a draft gives none; nil where it has to give one.
        package var standard: Double?

        fileprivate init(_ name: String, _ range: ClosedRange<Double>, _ standard: Double? = nil) {
            self.name = name
            self.range = range
            self.standard = standard
        }
    }

    /// The filter's own parameters.
    package var parameters: [Parameter] {
        switch self {
        case .highpass, .lowpass:
            [
                Parameter("frequency", AudioFilterKind.frequencies), Parameter("width", AudioFilterKind.widths, 0.707),
                Parameter("poles", 1...2, 2),
            ]
        case .equalizer, .ladspa, .lv2: []
        case .compressor:
            [
                Parameter("threshold", 0.000_976_563...1, 0.125), Parameter("ratio", 1...20, 2),
                Parameter("attack", 0.01...2000, 20),
                Parameter("release", 0.01...9000, 250), Parameter("makeup", 1...64, 1), Parameter("knee", 1...8, 2.828_43),
                Parameter("mix", 0...1, 1),
            ]
        case .gate:
            [
                Parameter("threshold", 0...1, 0.125), Parameter("ratio", 1...9000, 2), Parameter("attack", 0.01...9000, 20),
                Parameter("release", 0.01...9000, 250), Parameter("range", 0...1, 0.061_25), Parameter("makeup", 1...64, 1),
                Parameter("knee", 1...8, 2.828_43),
            ]
        case .denoise: [Parameter("noiseReduction", 0.01...97, 12), Parameter("noiseFloor", -80 ... -20, -50)]
        case .deesser: [Parameter("intensity", 0...1, 0), Parameter("max", 0...1, 0.5), Parameter("frequency", 0...1, 0.5)]
        case .echo: [Parameter("inGain", 0...1, 0.6), Parameter("outGain", 0...1, 0.3)]
        case .reverb: [Parameter("dry", 0...10, 1), Parameter("wet", 0...10, 1)]
        }
    }

    /// The list of parts that the filter has beside its parameters: its name, and the parameters of each part.
    package var parts: (name: String, parameters: [Parameter])? {
        switch self {
        case .equalizer:
            (
                "bands",
                [
                    Parameter("frequency", AudioFilterKind.frequencies), Parameter("width", AudioFilterKind.widths, 1),
                    Parameter("gain", -60...60),
                ]
            )
        case .echo: ("echoes", [Parameter("delay", 1...10_000), Parameter("decay", 0.001...1)])
        case .highpass, .lowpass, .compressor, .gate, .denoise, .deesser, .reverb, .ladspa, .lv2: nil
        }
    }

    /// Whether the filter reads a sound file, an impulse response.
    package var needsSource: Bool { self == .reverb }

    /// Whether the filter is a plug-in of the machine.
    package var isPlugin: Bool { self == .ladspa || self == .lv2 }

    /// Hertz.
    private static let frequencies = 1.0...96_000
    /// The quality of a filter, its frequency divided by its bandwidth.
    private static let widths = 0.01...1000.0
}
