package import FarmAPI
package import FoundationEssentials

/// What follows from reports.
package struct JobEffects: Hashable, Sendable {
    /// Attempts that are not needed any more: their workers have to be told.
    package var toCancel: [AttemptID] = []
    /// Whether anything may be dispatched or compiled now that could not before.
    package var hasNews = false
    /// Which jobs became ready, and which no longer are.
    package var changes = ReadyChanges()

    package init() {}

    /// Adds what happened afterwards.
    package mutating func merge(_ later: JobEffects) {
        toCancel += later.toCancel
        hasNews = hasNews || later.hasNews
        changes.merge(later.changes)
    }
}

/// A job that became ready, with all that its place in the order of dispatch depends on.
package struct ReadyJob: Hashable, Sendable {
    package var candidate: DispatchCandidate
    /// The job is not dispatched before this time.
    package var notBefore: Date

    package init(_ candidate: DispatchCandidate, notBefore: Date) {
        self.candidate = candidate
        self.notBefore = notBefore
    }
}

/// How the set of ready jobs changed. A job is in at most one of the two parts, and its last change counts.
package struct ReadyChanges: Hashable, Sendable {
    /// Jobs that became ready and still are, by job id.
    package private(set) var ready: [Int64: ReadyJob] = [:]
    /// Jobs that were ready, at the beginning or in between, and no longer are. Jobs that were dispatched are not among
    /// them, because their tickets say so.
    package private(set) var noLongerReady: Set<Int64> = []

    package init() {}

    package mutating func becameReady(_ job: ReadyJob) {
        noLongerReady.remove(job.candidate.job)
        ready[job.candidate.job] = job
    }

    package mutating func isNoLongerReady(_ job: Int64) {
        ready[job] = nil
        noLongerReady.insert(job)
    }

    /// Adds what happened afterwards.
    package mutating func merge(_ later: ReadyChanges) {
        for job in later.ready.values { becameReady(job) }
        for job in later.noLongerReady { isNoLongerReady(job) }
    }
}
