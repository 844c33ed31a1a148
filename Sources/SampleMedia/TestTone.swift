#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A sine with a short, louder beep at every full second: pitch and position can both be heard and measured.
public struct TestTone: Sendable {
    /// Hertz.
    public var frequency: Double
    /// Peak, 0...1.
    public var level: Double

    public init(frequency: Double, level: Double = 0.2) {
        self.frequency = frequency
        self.level = level
    }

    /// Sample `index` at `sampleRate` samples a second.
    public func sample(_ index: Int, sampleRate: Int) -> Float {
        let time = Double(index) / Double(sampleRate)
        let isBeep = index % sampleRate < sampleRate / 20
        let beep = isBeep ? level * sin(2 * .pi * 2 * frequency * time) : 0
        return Float(level * sin(2 * .pi * frequency * time) + beep)
    }
}
