/// How moving operations go with time. They hang on the seconds since the beginning of their clip or layer, so that they move at
/// one speed at every frame rate, and are made of arithmetic alone, the same on every processor.
enum Course {
    /// How far into its period something is that comes again and again, 0..<1.
    static func phase(_ seconds: Double, period: Double) -> Double {
        let rounds = seconds / max(0.01, period)
        return rounds - rounds.rounded(.down)
    }

    /// A soft way from 0 to 1 and back within a phase: smoothStep of a triangle.
    static func swing(_ phase: Double) -> Float {
        let place = phase - phase.rounded(.down)
        return smoothStep(Float(1 - abs(2 * place - 1)))
    }

    /// Number of the beat that a moment lies in, and how far into it, 0..<1.
    static func beat(_ seconds: Double, perSecond: Double) -> (number: Int, part: Double) {
        let beats = seconds * perSecond
        let number = beats.rounded(.down)
        // So far that no film gets there, and well inside of a whole number.
        return (Int(max(-1e15, min(1e15, number))), beats - number)
    }

    /// Noise of a beat, -1..<1, another for each channel and seed.
    static func noise(_ beat: Int, channel: Int, seed: Float) -> Float {
        let start = Grain.mixed(UInt32(seed) &+ 0x9e37_79b9 &* UInt32(truncatingIfNeeded: channel))
        return Grain.value(at: UInt32(truncatingIfNeeded: beat), seed: start)
    }
}
