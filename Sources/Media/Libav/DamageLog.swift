package import ExportPlan

/// Records the damage that the readers of one job concealed in their sources, as players do: pictures that could not be
/// decoded, pictures with regions that the decoder filled in, and sound that could not be decoded.
///
/// Only damage that is seen or heard counts. Neighbouring segments therefore do not report each other's damage, and a
/// source gives the same warnings wherever reading began. Used by one thread at a time.
package final class DamageLog {
    /// A picture that is missing or damaged.
    private struct Picture: Hashable {
        var code: SourceWarning.Code
        var source: String
        /// Seconds in the source.
        var time: Double
    }

    /// Sound that is missing.
    private struct Silence {
        var source: String
        var samples: Range<Int>
        var rate: Int
    }

    private var pictures: Set<Picture> = []
    private var silences: [Silence] = []

    package init() {}

    func add(_ code: SourceWarning.Code, source: String, at time: Double) {
        pictures.insert(Picture(code: code, source: source, time: time))
    }

    /// - Parameter samples: the missing samples, counted from source time 0.
    func addSilence(source: String, samples: Range<Int>, rate: Int) {
        silences.append(Silence(source: source, samples: samples, rate: rate))
    }

    /// The recorded damage as warnings, ordered by source and time. Neighbouring pictures or samples are one warning.
    package var warnings: [SourceWarning] {
        let single = pictures.map {
            SourceWarning($0.code, source: $0.source, from: $0.time, to: $0.time, count: 1)
        }
        let silent = silences.map {
            SourceWarning(
                .damagedSound, source: $0.source, from: Double($0.samples.lowerBound) / Double($0.rate),
                to: Double($0.samples.upperBound) / Double($0.rate), count: $0.samples.count)
        }
        return (single + silent).combined
    }
}
