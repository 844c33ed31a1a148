/// The timing of moving operations. They depend on the seconds since the start of their clip or layer, so that they
/// move at the same speed at every frame rate. They use only basic arithmetic, so that the result is the same on every
/// processor.
enum Course {
    /// The position within a repeating period, 0..<1.
    static func phase(_ seconds: Double, period: Double) -> Double {
        let turns = seconds / max(0.01, period)
        return turns - turns.rounded(.down)
    }

    /// A smooth curve from 0 to 1 and back over one phase: the smoothStep of a triangle.
    static func swing(_ phase: Double) -> Float {
        let place = phase - phase.rounded(.down)
        return smoothStep(Float(1 - abs(2 * place - 1)))
    }

    /// The number of the beat at a time, and the position within that beat, 0..<1.
    static func beat(_ seconds: Double, perSecond: Double) -> (number: Int, part: Double) {
        let beats = seconds * perSecond
        let number = beats.rounded(.down)
        // The limit is far beyond the length of any film, and well within the range of `Int`.
        return (Int(max(-1e15, min(1e15, number))), beats - number)
    }

    /// The noise value of a beat, -1..<1. It differs for each channel and each seed.
    static func noise(_ beat: Int, channel: Int, seed: Float) -> Float {
        let start = Grain.mixed(UInt32(seed) &+ 0x9e37_79b9 &* UInt32(truncatingIfNeeded: channel))
        return Grain.value(at: UInt32(truncatingIfNeeded: beat), seed: start)
    }
}
