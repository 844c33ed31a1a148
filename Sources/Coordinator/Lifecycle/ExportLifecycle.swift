package import FarmAPI
package import ExportPlan

/// The life of an export as a pure state machine: an event goes in, actions come out. The store performs the actions
/// and decides nothing itself. Every action may be performed a second time without harm.
///
///     submitted ──▶ probing ──▶ rendering ──▶ completed
///         │            │            │
///         └────────────┴────────────┴──▶ failed, cancelled
///
///     failed ──▶ probing, rendering           an operator retries a failed job
package struct ExportLifecycle: Hashable, Sendable {
    package private(set) var state: ExportState

    /// - Parameter state: the stored state; a new export is `submitted`.
    package init(_ state: ExportState = .submitted) {
        self.state = state
    }

    /// Something that happens to an export.
    package enum Event: Hashable, Sendable {
        /// Its document is read, and its sources are probed now.
        case probingBegan(sources: Int)
        /// Its sources are probed and it is compiled.
        case compiled(PlannedExport)
        /// Its film exists, because a stitch has made it or found it in the store, and so do the pictures beside it.
        case filmMade
        /// A job failed for good, its draft is invalid, or it cannot be compiled.
        case failed(ExportFailure)
        /// The client cancels it.
        case cancelled
        /// An operator retries one of its jobs, which has failed.
        case jobRetried(Int64, JobKind)
    }

    /// Something that the store does.
    package enum Action: Hashable, Sendable {
        /// Stores the lifecycle's state with the failure, and the time of the end where the state is terminal.
        case recordState(ExportFailure?)
        /// Stores what is known of the film before it is rendered.
        case recordPlan(PlannedExport)
        /// Adds the warnings about damage that was concealed while the film was rendered.
        case addFilmWarnings
        /// Ends all open jobs, and tells the workers that have attempts at them.
        case endJobs(as: JobState)
        /// Opens all failed and cancelled probes again, or all other such jobs.
        case reopenJobs(probes: Bool)
        /// Adds an event for the clients that watch the export.
        case logEvent(ExportEvent.Kind, job: Int64?, String)
    }

    /// Applies an event.
    /// - Returns: the actions to perform, in this order; none where the event changes nothing, because it comes too
    ///   late, too early or a second time.
    package mutating func handle(_ event: Event) -> [Action] {
        switch (state, event) {
        case (.submitted, .probingBegan(let sources)):
            state = .probing
            return [
                .recordState(nil),
                .logEvent(.probing, job: nil, sources == 1 ? "looking at 1 source" : "looking at \(sources) sources"),
            ]
        case (.probing, .compiled(let plan)):
            state = .rendering
            return [
                .recordPlan(plan), .recordState(nil),
                .logEvent(.rendering, job: nil, "compiled into \(plan.jobs.count) jobs"),
            ]
        case (.rendering, .filmMade):
            state = .completed
            // Another export's stitch may have made the film; then the jobs that are still open are not needed.
            return [
                .addFilmWarnings, .recordState(nil), .logEvent(.completed, job: nil, "the film is complete"),
                .endJobs(as: .done),
            ]
        case (.submitted, .failed(let failure)), (.probing, .failed(let failure)), (.rendering, .failed(let failure)):
            state = .failed
            return [
                .recordState(failure), .logEvent(.failed, job: failure.job, failure.message), .endJobs(as: .cancelled),
            ]
        case (.submitted, .cancelled), (.probing, .cancelled), (.rendering, .cancelled):
            state = .cancelled
            return [.recordState(nil), .logEvent(.cancelled, job: nil, "cancelled"), .endJobs(as: .cancelled)]
        case (.failed, .jobRetried(let job, let kind)):
            state = kind == .probe ? .probing : .rendering
            let event: ExportEvent.Kind = kind == .probe ? .probing : .rendering
            return [.recordState(nil), .logEvent(event, job: job, "retried by an operator"), .reopenJobs(probes: kind == .probe)]
        case (_, .probingBegan), (_, .compiled), (_, .filmMade), (_, .failed), (_, .cancelled), (_, .jobRetried):
            return []
        }
    }

    /// The states in which an event changes something, for statements that find or guard exports by their state.
    package static func states(changedBy event: Event) -> [ExportState] {
        ExportState.allCases.filter { state in
            var lifecycle = ExportLifecycle(state)
            return !lifecycle.handle(event).isEmpty
        }
    }
}
