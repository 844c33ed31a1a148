import FarmAPI
import Coordinator
import ExportPlan
import JobQueue
import Testing
import FoundationEssentials

@Suite("Job lifecycle")
struct JobLifecycleTests {
    private typealias Action = JobLifecycle.Action

    private let now = Date(timeIntervalSince1970: 1_000_000)
    private static let success = JobReport.Outcome.finished(result: JobResult(), reused: false)

    /// A job whose second attempt is the last.
    private func life(_ state: JobState, _ kind: JobKind = .video) -> JobLifecycle {
        JobLifecycle(kind, state: state, attempt: 2, worker: state.isInFlight ? "w1" : nil)
    }

    private func report(_ outcome: JobReport.Outcome, attempt: Int = 2, log: String = "") -> JobLifecycle.Event {
        .reported(JobReport(AttemptID(job: 1, attempt: attempt), worker: "w2", outcome, log: log))
    }

    private func failure(_ failureClass: FailureClass, missing: [ArtifactKey] = []) -> JobFailure {
        JobFailure(failureClass, subject: "sea.mp4", message: "went wrong", missingArtifacts: missing)
    }

    // MARK: Every event in every state

    @Test("A job without needs is ready from the start, another one waits, and one that need not run is done")
    func planned() {
        for kind in JobKind.allCases {
            #expect(JobLifecycle(planned: kind, at: now).state == (kind.needs.isEmpty ? .ready : .waiting))
            let there = JobLifecycle(planned: kind, isNeeded: false, at: now)
            #expect(there.state == .done && there.reused)
        }
    }

    @Test("A waiting job is ready when its needs are met", arguments: JobState.allCases)
    func needsMet(state: JobState) {
        var job = life(state)
        let actions = job.handle(.needsMet, at: now)
        #expect(job.state == (state == .waiting ? .ready : state))
        #expect(actions == (state == .waiting ? [.recordState] : []))
    }

    @Test("Only a ready job is dispatched, with the next attempt's number", arguments: JobState.allCases)
    func dispatch(state: JobState) {
        var job = life(state)
        let before = job
        let actions = job.handle(.dispatched, at: now)
        if state == .ready {
            #expect(job.state == .dispatched && job.attempt == 3 && job.worker == nil)
            #expect(actions == [.recordState, .addAttempt(3)])
        } else {
            #expect(job == before && actions.isEmpty)
        }
    }

    @Test("A start counts only from the attempt that is under way", arguments: JobState.allCases, [0, 1, 2, 3])
    func start(state: JobState, attempt: Int) {
        var job = life(state)
        let before = job
        let actions = job.handle(report(.started, attempt: attempt), at: now)
        if state.isInFlight, attempt == 2 {
            #expect(job.state == .running && job.worker == "w2")
            #expect(actions == [.startAttempt(2, worker: "w2"), .recordState])
        } else {
            #expect(job == before && actions.isEmpty)
        }
    }

    @Test("A success counts from any attempt that was made, until the job is over", arguments: JobState.allCases, [0, 1, 2, 3])
    func success(state: JobState, attempt: Int) {
        var job = life(state)
        let before = job
        let actions = job.handle(report(Self.success, attempt: attempt), at: now)
        switch state {
        case _ where attempt == 0 || attempt == 3: #expect(job == before && actions.isEmpty)
        case .cancelled: #expect(job == before && actions == [.shareResult(JobResult())], "others wait for the artifact")
        case .done, .failed: #expect(job == before && actions.isEmpty)
        case .waiting, .ready, .dispatched, .running:
            #expect(job.state == .done && job.worker == "w2" && !job.reused)
            #expect(
                actions == [
                    .endAttempt(attempt, .succeeded, worker: "w2", cost: JobResult().cost), .recordState, .cancelAttempts,
                    .shareResult(JobResult()), .wakeLeader,
                ])
        }
    }

    @Test("A failure counts only from the attempt that is under way", arguments: JobState.allCases, [0, 1, 2, 3])
    func failure(state: JobState, attempt: Int) {
        var job = life(state)
        let before = job
        let actions = job.handle(report(.failed(failure: failure(.transient)), attempt: attempt), at: now)
        if state.isInFlight, attempt == 2 {
            #expect(job.state == .ready && job.failures == [.transient: 1] && job.notBefore > now && job.worker == nil)
            #expect(
                actions == [
                    .endAttempt(2, .failed, worker: "w2", failure: failure(.transient)),
                    .logEvent(.jobRetried, "'sea.mp4' went wrong"), .recordState, .wakeLeader,
                ])
        } else {
            #expect(job == before && actions.isEmpty)
        }
    }

    @Test(
        "A job that a worker returns or stops is ready at once, and no failure counts", arguments: JobState.allCases,
        [JobReport.Outcome.returned, .cancelled])
    func handedBack(state: JobState, outcome: JobReport.Outcome) {
        for attempt in 0...3 {
            var job = life(state)
            let before = job
            let actions = job.handle(report(outcome, attempt: attempt), at: now)
            if state.isInFlight, attempt == 2 {
                #expect(job.state == .ready && job.failures.isEmpty && job.notBefore == now && job.excludedWorkers.isEmpty)
                let end = AttemptState(rawValue: outcome == .returned ? "returned" : "cancelled")
                #expect(actions.first == end.map { .endAttempt(2, $0, worker: "w2") })
                #expect(actions.suffix(2) == [.recordState, .wakeLeader])
            } else {
                #expect(job == before && actions.isEmpty)
            }
        }
    }

    @Test("Only the current attempt's lease expires, and counts as transient", arguments: JobState.allCases, [0, 1, 2, 3])
    func lost(state: JobState, attempt: Int) {
        var job = life(state)
        let before = job
        let actions = job.handle(.leaseExpired(attempt: attempt), at: now)
        if state.isInFlight, attempt == 2 {
            #expect(job.state == .ready && job.failures == [.transient: 1])
            #expect(job.excludedWorkers.isEmpty, "a worker that was killed may come back")
            #expect(
                actions == [
                    .endAttempt(2, .lost), .logEvent(.jobLost, "the lease of worker 'w1' expired"), .recordState, .wakeLeader,
                ])
        } else {
            #expect(job == before && actions.isEmpty)
        }
    }

    @Test("A job that has not been sent is done when another job has made its artifact", arguments: JobState.allCases)
    func shared(state: JobState) {
        var job = life(state)
        let actions = job.handle(.artifactMade, at: now)
        let isOpen = state == .waiting || state == .ready
        #expect(job.state == (isOpen ? .done : state) && job.reused == isOpen)
        #expect(actions == (isOpen ? [.recordState] : []))
    }

    @Test("A done job is ready again when its artifact is gone, and its success no longer counts", arguments: JobState.allCases)
    func artifactLost(state: JobState) {
        var job = life(state)
        let actions = job.handle(.artifactLost, at: now)
        #expect(job.state == (state == .done ? .ready : state))
        #expect(actions == (state == .done ? [.recordState, .disownSuccess] : []))
    }

    @Test("An open job ends with its export", arguments: JobState.allCases, [JobState.done, .cancelled])
    func ended(state: JobState, end: JobState) {
        var job = life(state)
        let actions = job.handle(.exportEnded(as: end), at: now)
        #expect(job.state == (state.isTerminal ? state : end))
        #expect(job.reused == (!state.isTerminal && end == .done))
        #expect(actions == (state.isTerminal ? [] : [.recordState, .cancelAttempts]))
    }

    @Test("An operator's retry opens failed and cancelled jobs, which forget their failures", arguments: JobState.allCases)
    func retried(state: JobState) {
        for kind in JobKind.allCases {
            var job = life(state, kind)
            job.failures = [.crash: 3]
            job.excludedWorkers = ["w1"]
            let before = job
            let actions = job.handle(.retried, at: now)
            guard state == .failed || state == .cancelled else {
                #expect(job == before && actions.isEmpty)
                continue
            }
            #expect(job.state == (kind.needs.isEmpty ? .ready : .waiting) && job.attempt == 2 && job.notBefore == now)
            #expect(job.failures.isEmpty && job.excludedWorkers.isEmpty && actions == [.recordState])
        }
    }

    @Test("The states that an event changes are those in which it returns actions")
    func changedStates() {
        #expect(JobLifecycle.states(changedBy: .needsMet) == [.waiting])
        #expect(JobLifecycle.states(changedBy: .dispatched) == [.ready])
        #expect(JobLifecycle.states(changedBy: .artifactMade) == [.waiting, .ready])
        #expect(JobLifecycle.states(changedBy: .artifactLost) == [.done])
        #expect(JobLifecycle.states(changedBy: .exportEnded(as: .done)) == [.waiting, .ready, .dispatched, .running])
        #expect(JobLifecycle.states(changedBy: .retried) == [.failed, .cancelled])
    }

    @Test("A log is kept with its attempt, also where the report changes nothing", arguments: JobState.allCases)
    func logs(state: JobState) {
        var job = life(state)
        #expect(job.handle(report(.returned, attempt: 1, log: "late"), at: now) == [.keepLog(1, "late")])
        #expect(job.handle(report(.returned, attempt: 3, log: "never"), at: now).isEmpty, "there is no such attempt")
    }
}
