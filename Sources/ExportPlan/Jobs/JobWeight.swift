/// What a predicted time (`PlannedJob.weight`, in seconds of one slot) means for the order of jobs. `CostTable` predicts
/// it.
package enum JobWeight {
    /// Predicted seconds above which a job over the whole film is long: about the time that a video segment takes.
    package static let long = 5.0

    /// The kinds that process the whole film in one job. Video and audio are cut into segments.
    package static let wholeFilmKinds: Set<JobKind> = [.soundtrack, .stitch]

    /// Whether a job can hold a slot for much longer than a segment does.
    package static func isLong(_ kind: JobKind, _ weight: Double) -> Bool { wholeFilmKinds.contains(kind) && weight > long }
}
