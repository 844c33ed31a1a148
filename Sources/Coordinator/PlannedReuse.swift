import ExportPlan
import JobQueue

/// Which of an export's new jobs need not run: those whose artifact is there, and those that only lead to such.
struct PlannedReuse {
    private let known: Set<ArtifactKey>
    /// Kinds all of whose jobs have their artifacts.
    private let complete: Set<JobKind>

    /// - Parameter known: keys of artifacts that are there.
    init(_ jobs: [NewJob], known: Set<ArtifactKey>) {
        self.known = known
        complete = Set(JobKind.allCases).subtracting(jobs.filter { !known.contains($0.key) }.map(\.kind))
    }

    /// Whether the job is done from the start. A stitch never is: a worker looks at the film, checksum included, before the
    /// export is complete, for the database cannot know what became of the file since.
    func isUnneeded(_ job: NewJob) -> Bool {
        if job.kind == .stitch { return false }
        if known.contains(job.key) || complete.contains(.stitch) { return true }
        switch job.kind {
        case .audio: return complete.contains(.soundtrack)
        case .measure, .allocation: return complete.contains(.video)
        case .probe, .video, .soundtrack, .stitch: return false
        }
    }
}
