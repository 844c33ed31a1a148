import Glibc

/// A sine with a short, louder beep at every full second: pitch and position can both be heard and measured.
package struct TestTone: Sendable {
    /// In hertz.
    package var frequency: Double
    /// The peak amplitude, 0...1.
    package var level: Double

    package init(frequency: Double, level: Double = 0.2) {
        self.frequency = frequency
        self.level = level
    }

    /// Sample `index` at `sampleRate` samples per second.
    package func sample(_ index: Int, sampleRate: Int) -> Float {
        let time = Double(index) / Double(sampleRate)
        let isBeep = index % sampleRate < sampleRate / 20
        let beep = isBeep ? level * sin(2 * .pi * 2 * frequency * time) : 0
        return Float(level * sin(2 * .pi * frequency * time) + beep)
    }
}
