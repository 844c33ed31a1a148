/// What is done to the whole mix before it is encoded.
public struct Mastering: Hashable, Sendable, Codable {
    /// Integrated loudness that the mix is brought to, in LUFS (EBU R 128); nil leaves it as loud as it is.
    public var loudness: Double?
    /// No true peak goes beyond, in dBTP (ITU-R BS.1770-4, annex 2).
    public var truePeak: Double

    public init(loudness: Double?, truePeak: Double) {
        self.loudness = loudness
        self.truePeak = truePeak
    }
}
