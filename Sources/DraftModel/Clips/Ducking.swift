package import ExactTime

/// Ducking: lowers a sound while the main track is heard. In JSON it is a gain, `0.3`, or an object, `{"gain": 0.3,
/// "attack": 0.1, "hold": 0.3, "release": 0.5, "threshold": -40}`.
package struct Ducking: Hashable, Sendable, Encodable {
    /// The gain while the main track is heard, 0...1.
    package var gain: Double
    /// The length of the fade down, 0...2 s, which ends when the main track begins to be heard; 0.1 by default.
    package var attack: MediaTime?
    /// How long the gain stays down after the main track, 0...10 s; 0.3 by default.
    package var hold: MediaTime?
    /// The length of the fade up after that, 0...10 s; 0.5 by default.
    package var release: MediaTime?
    /// The level above which the main track counts as heard, -90...0 dBFS; -40 by default.
    package var threshold: Double?

    package init(
        gain: Double, attack: MediaTime? = nil, hold: MediaTime? = nil, release: MediaTime? = nil, threshold: Double? = nil
    ) {
        self.gain = gain
        self.attack = attack
        self.hold = hold
        self.release = release
        self.threshold = threshold
    }
}

extension ObjectReader {
    /// Reads a gain, or an object with all settings.
    mutating func ducking(_ name: String) -> Ducking? {
        guard case .object = value(name) else { return double(name, in: 0...1).map { Ducking(gain: $0) } }
        return object(name) { reader in
            let gain = reader.double("gain", in: 0...1, required: true)
            let attack = reader.time("attack", upTo: MediaTime(seconds: 2))
            let hold = reader.time("hold", upTo: MediaTime(seconds: 10))
            let release = reader.time("release", upTo: MediaTime(seconds: 10))
            let threshold = reader.double("threshold", in: -90...0)
            return gain.map { Ducking(gain: $0, attack: attack, hold: hold, release: release, threshold: threshold) }
        }
    }

    /// Reads a time from zero to a limit.
    mutating func time(_ name: String, upTo limit: MediaTime) -> MediaTime? {
        guard let time = time(name, atLeast: .zero) else { return nil }
        if time > limit { report(name, .outOfRange, "must be 0...\(limit) s, not \(time)") }
        return time
    }
}
