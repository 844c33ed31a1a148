import ExactTime
package import ExportPlan
import Vocabulary

/// The encoding of a soundtrack.
func planSoundtrack(
    _ composition: Composition, _ segments: [AudioSegment], encode: AudioEncodeSettings, _ format: OutputFormat
) -> SoundtrackPlan {
    let sampleCount = composition.duration.rounded(toRate: encode.sampleRate)
    // Filters and mastering hear the whole sound.
    if format.mastering == nil, format.mixFilters == nil,
        let parts = SoundtrackParts(encode: encode, sampleCount: sampleCount, isPreview: format.isPreview)?.planned(segments)
    {
        return SoundtrackPlan(key: parts[0].key, encode: encode, sampleCount: sampleCount, parts: parts)
    }
    let content = SoundtrackContent(
        segments: segments.map(\.key), encode: encode, sampleCount: sampleCount, mastering: format.mastering,
        filters: format.mixFilters)
    return SoundtrackPlan(
        key: contentKey("soundtrack", content), encode: encode, sampleCount: sampleCount, mastering: format.mastering,
        filters: format.mixFilters)
}

extension PreviewFormat {
    /// A moment of silence, of which the header of a preview's sound is made before any of its sound is rendered.
    package static func silence(_ encode: AudioEncodeSettings) -> (mix: AudioSegment, soundtrack: SoundtrackPlan) {
        let slice = AudioSlice(sampleRate: encode.sampleRate, channels: encode.channels, sampleCount: 2048, inputs: [])
        let mix = AudioSegment(key: contentKey("audio", slice), firstSample: 0, slice: slice)
        let content = SoundtrackContent(segments: [mix.key], encode: encode, sampleCount: slice.sampleCount)
        return (
            mix, SoundtrackPlan(key: contentKey("soundtrack", content), encode: encode, sampleCount: slice.sampleCount)
        )
    }
}

/// At least as many jobs as encode a soundtrack.
func mostSoundtrackParts(_ composition: Composition) -> Int {
    (composition.duration / MediaTime(seconds: SoundtrackParts.streamSegment)).rounded + 1
}

/// How a soundtrack is divided into parts of about half a minute, each of which is encoded by itself.
private struct SoundtrackParts {
    /// The length of a stream's segments of sound in seconds, which parts are multiples of.
    static let streamSegment = 6
    private static let streamSegments = 5
    /// How many packets before a part are encoded with it. An encoder's decisions depend on few packets before, and its
    /// allocation of bits has settled after so many.
    private static let preRoll = 32
    /// How many packets behind a part are encoded with it, so that its last packets know what follows.
    private static let lookahead = 4

    private let encode: AudioEncodeSettings
    private let sampleCount: Int
    /// The number of samples of a packet.
    private let packet: Int
    /// The number of packets of a part.
    private let length: Int
    private let count: Int

    /// - Returns: nil for a soundtrack that one job encodes: a short one, or one of a codec whose packets depend on all
    ///   before them.
    init?(encode: AudioEncodeSettings, sampleCount: Int, isPreview: Bool) {
        guard let packet = encode.codec.format.packetLength else { return nil }
        self.encode = encode
        self.sampleCount = sampleCount
        self.packet = packet
        length = (isPreview ? 1 : SoundtrackParts.streamSegments) * (SoundtrackParts.streamSegment * encode.sampleRate / packet)
        // The last part has half to one and a half times the length of the others.
        count = (sampleCount / packet + length / 2) / max(1, length)
        guard count > 1 else { return nil }
    }

    func planned(_ segments: [AudioSegment]) -> [SoundtrackPart] {
        (0..<count).map { number in
            let isLast = number == count - 1
            let firstPacket = number * length
            let preRoll = min(firstPacket, SoundtrackParts.preRoll)
            // The first packet has half of its samples before the film, as the encoder's delay.
            let first = (firstPacket - preRoll) * packet
            let end = isLast ? sampleCount : min(sampleCount, (firstPacket + length + SoundtrackParts.lookahead) * packet)
            return part(segments, first..<end, preRoll: preRoll, packets: isLast ? nil : length, at: (firstPacket - 1) * packet)
        }
    }

    private func part(
        _ segments: [AudioSegment], _ samples: Range<Int>, preRoll: Int, packets: Int?, at start: Int
    ) -> SoundtrackPart {
        let begin = segments.lastIndex { $0.firstSample <= samples.lowerBound } ?? 0
        let end = segments.firstIndex { $0.firstSample >= samples.upperBound } ?? segments.count
        let skipped = samples.lowerBound - segments[begin].firstSample
        let content = SoundtrackContent(
            segments: segments[begin..<end].map(\.key), encode: encode, sampleCount: samples.count,
            part: .init(skippedSamples: skipped, preRoll: preRoll, packetCount: packets))
        return SoundtrackPart(
            key: contentKey("soundtrack", content), segments: begin..<end, skippedSamples: skipped, sampleCount: samples.count,
            preRoll: preRoll, packetCount: packets, firstSample: start)
    }
}

private struct SoundtrackContent: Encodable {
    struct Part: Encodable {
        var skippedSamples: Int
        var preRoll: Int
        var packetCount: Int?
    }

    var segments: [ArtifactKey]
    var encode: AudioEncodeSettings
    var sampleCount: Int
    var mastering: Mastering?
    var filters: [SoundFilter]?
    var part: Part?
}
