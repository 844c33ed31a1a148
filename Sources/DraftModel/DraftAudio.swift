/// What is done to the final mix.
public struct DraftAudio: Hashable, Sendable, Encodable {
    /// Keeps true peaks below `truePeak`.
    public var limiter: Bool?
    /// LUFS, -50...-5: the integrated loudness that the film is brought to, and limited.
    public var loudness: Double?
    /// dBTP, -9...0; -1 by default.
    public var truePeak: Double?

    public init(limiter: Bool? = nil, loudness: Double? = nil, truePeak: Double? = nil) {
        self.limiter = limiter
        self.loudness = loudness
        self.truePeak = truePeak
    }

    init(_ reader: inout ObjectReader) {
        limiter = reader.bool("limiter")
        loudness = reader.double("loudness", in: -50 ... -5)
        truePeak = reader.double("truePeak", in: -9...0)
        if truePeak != nil, limiter != true, loudness == nil {
            reader.report("truePeak", .conflict, "is kept by the limiter, which is not wanted; give limiter or loudness")
        }
    }
}
