/// How long a job held its slot, with the features that explain it: what cost models are fitted to.
package struct JobMeasurement: Hashable, Sendable {
    /// Longer measurements are no measurements: a week, in seconds.
    package static let longest = 604_800.0

    package let features: JobFeatures
    /// From when a slot took the job until its result was there, in seconds, by a clock that nobody sets.
    package let seconds: Double

    /// - Returns: nil for seconds that no job takes.
    package init?(_ features: JobFeatures, seconds: Double) {
        guard seconds > 0, seconds <= JobMeasurement.longest else { return nil }
        self.features = features
        self.seconds = seconds
    }

    /// - Returns: nil for a job without features, and for seconds that no job takes.
    package init?(_ job: RenderJob, seconds: Double) {
        guard let features = JobFeatures(job) else { return nil }
        self.init(features, seconds: seconds)
    }
}

extension JobMeasurement: Codable {
    private enum CodingKeys: String, CodingKey { case features, seconds }

    /// - Throws: `DecodingError` also for features of another version and for seconds that no job takes.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let features = try container.decode(JobFeatures.self, forKey: .features)
        let seconds = try container.decode(Double.self, forKey: .seconds)
        guard let measurement = JobMeasurement(features, seconds: seconds) else {
            throw DecodingError.dataCorruptedError(
                forKey: .seconds, in: container, debugDescription: "no job takes \(seconds) s")
        }
        self = measurement
    }
}
