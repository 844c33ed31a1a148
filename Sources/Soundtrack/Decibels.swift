import Glibc

/// Converts between amplitudes and levels in decibels; 0 dB is full scale.
package enum Decibels {
    package static func amplitude(_ decibels: Double) -> Double { pow(10, decibels / 20) }

    /// - Returns: the level in dB; -200 dB for silence.
    package static func level(ofAmplitude amplitude: Double) -> Double { 20 * log10(max(amplitude, 1e-10)) }
}
