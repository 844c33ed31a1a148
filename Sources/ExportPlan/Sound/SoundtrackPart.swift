/// A part of a soundtrack that a job of its own encodes, so that a long soundtrack is encoded by many workers and can be
/// heard from its beginning before it is complete.
///
/// The encoder begins some packets before the part and reads some samples behind it. The packets at the joints are
/// therefore those of an encoder that encodes the whole sound, but for how their bits are allocated.
package struct SoundtrackPart: Hashable, Sendable, Codable {
    /// The artifact of the encoded part.
    package var key: ArtifactKey
    /// The mixed segments of the soundtrack that it is made of, counted from 0.
    package var segments: Range<Int>
    /// The number of samples that are left out at the beginning of those segments.
    package var skippedSamples: Int
    /// The number of samples that are encoded.
    package var sampleCount: Int
    /// The number of packets that the encoder makes first and that are not kept.
    package var preRoll: Int
    /// The number of packets that are kept; nil for all up to the end of the sound.
    package var packetCount: Int?
    /// The time of the first packet that is kept in samples of the film. It is below 0 for the first packet of an encoder
    /// with a delay.
    package var firstSample: Int

    package init(
        key: ArtifactKey, segments: Range<Int>, skippedSamples: Int, sampleCount: Int, preRoll: Int, packetCount: Int?,
        firstSample: Int
    ) {
        self.key = key
        self.segments = segments
        self.skippedSamples = skippedSamples
        self.sampleCount = sampleCount
        self.preRoll = preRoll
        self.packetCount = packetCount
        self.firstSample = firstSample
    }
}

/// A part of a soundtrack behind the first one, as the stitch adds it.
package struct SoundContinuation: Hashable, Sendable, Codable {
    package var key: ArtifactKey
    /// The time of its first packet in samples of the film.
    package var firstSample: Int

    package init(key: ArtifactKey, firstSample: Int) {
        self.key = key
        self.firstSample = firstSample
    }
}
