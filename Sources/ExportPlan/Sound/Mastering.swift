/// The processing of the whole mix before it is encoded.
package struct Mastering: Hashable, Sendable, Codable {
    /// The integrated loudness of the mix, in LUFS (EBU R 128); nil leaves the loudness as it is.
    package var loudness: Double?
    /// The greatest true peak, in dBTP (ITU-R BS.1770-4, annex 2).
    package var truePeak: Double

    package init(loudness: Double?, truePeak: Double) {
        self.loudness = loudness
        self.truePeak = truePeak
    }
}
