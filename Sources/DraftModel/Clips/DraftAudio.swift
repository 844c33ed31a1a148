package import ExactTime
import Vocabulary

/// Settings for the final mix and the sounds in it.
package struct DraftAudio: Hashable, Sendable, Encodable {
    /// Keeps true peaks below `truePeak`.
    package var limiter: Bool?
    /// The integrated loudness of the film in LUFS, -50...-5. The mix is also limited.
    package var loudness: Double?
    /// The highest true peak in dBTP, -9...0; -1 by default.
    package var truePeak: Double?
    /// The length of fades where a sound begins or ends at a hard cut, a freeze or a repetition: 0...0.1 s, 0 by
    /// default.
    package var declick: MediaTime?

    /// Filters of the mix, in order, before loudness and limiter.
    package var audioFilters: [AudioFilter]?

    package init(limiter: Bool? = nil, loudness: Double? = nil, truePeak: Double? = nil, declick: MediaTime? = nil) {
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
        audioFilters = reader.audioFilters()
        for (index, filter) in (audioFilters ?? []).enumerated() where filter.type.needsSource {
            reader.report(
                "audioFilters[\(index)]", .unsupported, "\(filter.type.rawValue) belongs to clips and layers; give it to them")
        }
        if truePeak != nil, limiter != true, loudness == nil {
            reader.report("truePeak", .conflict, "is a setting of the limiter, which is off; give limiter or loudness")
        }
    }
}
