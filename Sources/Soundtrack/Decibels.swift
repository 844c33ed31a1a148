#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Levels of amplitudes: 0 dB is full scale.
public enum Decibels {
    public static func amplitude(_ decibels: Double) -> Double { pow(10, decibels / 20) }

    /// - Returns: -200 dB for silence.
    public static func level(ofAmplitude amplitude: Double) -> Double { 20 * log10(max(amplitude, 1e-10)) }
}
