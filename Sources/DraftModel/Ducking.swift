public import ExactTime

/// How a sound steps back while the main track is heard: `0.3`, or `{"gain": 0.3, "attack": 0.1, "hold": 0.3, "release": 0.5, "threshold": -40}`.
public struct Ducking: Hashable, Sendable, Encodable {
    /// 0...1, while the main track is heard.
    public var gain: Double
    /// Seconds, 0...2: it goes down so long before the main track is heard.
    public var attack: MediaTime?
    /// Seconds, 0...10: it stays down so long after that.
    public var hold: MediaTime?
    /// Seconds, 0...10: then it comes up.
    public var release: MediaTime?
    /// dBFS, -90...0: what is quieter is not heard.
    public var threshold: Double?

    public init(
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
    /// A gain, or all that can be said.
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

    /// A time from zero to a limit.
    mutating func time(_ name: String, upTo limit: MediaTime) -> MediaTime? {
        guard let time = time(name, atLeast: .zero) else { return nil }
        if time > limit { report(name, .outOfRange, "must be 0...\(limit) s, not \(time)") }
        return time
    }
}
