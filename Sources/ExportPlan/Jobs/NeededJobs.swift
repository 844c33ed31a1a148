/// Decides which of an export's jobs have to run. A job need not run when its artifact exists, or when only jobs that
/// need not run wait for it.
package struct NeededJobs: Sendable {
    private var keys: Set<ArtifactKey> = []
    /// The number of artifacts that were asked for and found.
    package private(set) var found = 0

    /// - Parameters:
    ///   - jobs: the jobs of one plan.
    ///   - hasFilm: whether the film exists, and its existence is enough: then only the stitch and the pictures beside the
    ///     film have to run.
    ///   - exists: whether an artifact exists. It is asked once for a key at most, and only where the answer matters.
    package init(_ jobs: [PlannedJob], hasFilm: Bool = false, where exists: (ArtifactKey) throws -> Bool) rethrows {
        var asked: Set<ArtifactKey> = []
        /// - Parameter wanted: the artifacts that are wanted; nil for those of all these jobs.
        /// - Returns: whether any job of these kinds has to run.
        func ask(_ kinds: Set<JobKind>, wanted: Set<ArtifactKey>? = nil) throws -> Bool {
            var isAnyNeeded = false
            for job in jobs where kinds.contains(job.kind) && wanted?.contains(job.key) ?? true {
                if asked.insert(job.key).inserted {
                    if try exists(job.key) { found += 1 } else { keys.insert(job.key) }
                }
                isAnyNeeded = isAnyNeeded || keys.contains(job.key)
            }
            return isAnyNeeded
        }
        _ = try ask([.picture])
        guard !hasFilm else { return }
        if try ask([.soundtrack]) {
            // A part of a soundtrack is made of some of the sound segments.
            let encodings = jobs.filter { $0.kind == .soundtrack && keys.contains($0.key) }
            _ = try ask([.audio], wanted: Set(encodings.flatMap(\.work.artifacts)))
        }
        if try ask([.video]) { _ = try ask([.measure, .allocation]) }
    }

    /// Whether the job has to run. A stitch always has to: it gives the film its name, or, where the film exists
    /// already, checks its file.
    package func contains(_ job: PlannedJob) -> Bool { job.kind == .stitch || keys.contains(job.key) }
}
