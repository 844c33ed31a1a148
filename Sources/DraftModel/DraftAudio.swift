public import ExactTime

/// What is done to the final mix, and to the sounds that it is made of.
public struct DraftAudio: Hashable, Sendable, Encodable {
    /// Keeps true peaks below `truePeak`.
    public var limiter: Bool?
    /// LUFS, -50...-5: the integrated loudness that the film is brought to, and limited.
    public var loudness: Double?
    /// dBTP, -9...0; -1 by default.
    public var truePeak: Double?
    /// Seconds, 0...0.1; 0 by default. What begins or ends at a hard cut, a freeze or a repeat fades for so long.
    public var declick: MediaTime?

    public init(limiter: Bool? = nil, loudness: Double? = nil, truePeak: Double? = nil, declick: MediaTime? = nil) {
        self.limiter = limiter
        self.loudness = loudness
        self.truePeak = truePeak
        self.declick = declick
    }

    init(_ reader: inout ObjectReader) {
        limiter = reader.bool("limiter")
        loudness = reader.double("loudness", in: -50 ... -5)
        truePeak = reader.double("truePeak", in: -9...0)
        declick = reader.time("declick", upTo: MediaTime(Rational(1, 10)))
        if truePeak != nil, limiter != true, loudness == nil {
            reader.report("truePeak", .conflict, "is kept by the limiter, which is not wanted; give limiter or loudness")
        }
    }
}
