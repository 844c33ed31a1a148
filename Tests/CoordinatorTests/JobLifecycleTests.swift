import Coordinator
import ExportPlan
import JobQueue
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("The life of a job")
struct JobLifecycleTests {
    private let now = Date(timeIntervalSince1970: 1_000_000)

    private func life(_ state: JobState, attempt: Int = 2) -> JobLifecycle {
        JobLifecycle(state: state, attempt: attempt, worker: state.isInFlight ? "w1" : nil)
    }

    private func failure(_ failureClass: FailureClass) -> JobFailure {
        JobFailure(failureClass, subject: "sea.mp4", message: "went wrong")
    }

    private static let success = JobReport.Outcome.finished(result: JobResult(), reused: false)

    // MARK: Every outcome from every state

    @Test("Only a ready job is dispatched, with the next attempt's number", arguments: JobState.allCases)
    func dispatch(state: JobState) {
        var job = life(state)
        let before = job
        let attempt = job.dispatch()
        #expect(attempt == (state == .ready ? 3 : nil))
        #expect(state == .ready ? job.state == .dispatched && job.attempt == 3 && job.worker == nil : job == before)
    }

    @Test("A start counts only from the attempt that is under way", arguments: JobState.allCases, [1, 2, 3])
    func start(state: JobState, attempt: Int) {
        var job = life(state)
        let before = job
        let verdict = job.apply(.started, attempt: attempt, worker: "w2", at: now, luck: 0)
        if state.isInFlight, attempt == 2 {
            #expect(verdict == .noted && job.state == .running && job.worker == "w2")
        } else {
            #expect(verdict == .ignored && job == before)
        }
    }

    @Test("A success counts from any attempt, until the job is over", arguments: JobState.allCases, [1, 2, 3])
    func success(state: JobState, attempt: Int) {
        var job = life(state)
        let before = job
        let verdict = job.apply(Self.success, attempt: attempt, worker: "w2", at: now, luck: 0)
        if state.isTerminal {
            #expect(verdict == .ignored && job == before)
        } else {
            #expect(verdict == .done && job.state == .done && job.worker == "w2")
        }
    }

    @Test("A failure counts only from the attempt that is under way", arguments: JobState.allCases, [1, 2, 3])
    func failure(state: JobState, attempt: Int) {
        var job = life(state)
        let before = job
        let verdict = job.apply(.failed(failure: failure(.transient)), attempt: attempt, worker: "w2", at: now, luck: 0)
        if state.isInFlight, attempt == 2 {
            #expect(verdict == .retried && job.state == .ready && job.failures == [.transient: 1] && job.notBefore > now)
        } else {
            #expect(verdict == .ignored && job == before)
        }
    }

    @Test(
        "What a worker hands back or stops is ready again at once and counts for nothing", arguments: JobState.allCases,
        [JobReport.Outcome.returned, .cancelled])
    func handedBack(state: JobState, outcome: JobReport.Outcome) {
        for attempt in 1...3 {
            var job = life(state)
            let before = job
            let verdict = job.apply(outcome, attempt: attempt, worker: "w2", at: now, luck: 0)
            if state.isInFlight, attempt == 2 {
                #expect(verdict == .retried && job.state == .ready && job.failures.isEmpty && job.notBefore == now)
                #expect(job.shunned.isEmpty)
            } else {
                #expect(verdict == .ignored && job == before)
            }
        }
    }

    @Test("Only the attempt that is under way can be lost; it counts as transient", arguments: JobState.allCases, [1, 2, 3])
    func lost(state: JobState, attempt: Int) {
        var job = life(state)
        let before = job
        let verdict = job.lose(attempt: attempt, at: now, luck: 0)
        if state.isInFlight, attempt == 2 {
            #expect(verdict == .retried && job.state == .ready && job.failures == [.transient: 1])
            #expect(job.shunned.isEmpty, "a worker that was killed may come back")
        } else {
            #expect(verdict == .ignored && job == before)
        }
    }

    @Test("A job can be cancelled until it is over", arguments: JobState.allCases)
    func cancelled(state: JobState) {
        var job = life(state)
        #expect(job.cancel() == !state.isTerminal)
        #expect(job.state == (state.isTerminal ? state : .cancelled))
    }

    // MARK: Retries

    /// Lets attempts fail, each on a worker of its own, until the job is over.
    private func wearOut(_ job: inout JobLifecycle, _ failureClass: FailureClass, atMost limit: Int = 50) -> [JobLifecycle
        .Verdict]
    {
        var verdicts: [JobLifecycle.Verdict] = []
        while verdicts.count < limit, let attempt = job.dispatch() {
            verdicts.append(
                job.apply(
                    .failed(failure: failure(failureClass)), attempt: attempt, worker: "w\(attempt)", at: now, luck: 0.5))
        }
        return verdicts
    }

    @Test(
        "A job fails for good after its class's number of tries, with the last failure",
        arguments: [(FailureClass.input, 1), (.transient, 5), (.resource, 2), (.crash, 3)])
    func tries(failureClass: FailureClass, tries: Int) {
        var job = JobLifecycle(state: .ready)
        let verdicts = wearOut(&job, failureClass)
        #expect(verdicts.dropLast().allSatisfy { $0 == .retried })
        #expect(verdicts.last == .failed(failure(failureClass)))
        #expect(verdicts.count == tries && job.state == .failed && job.attempt == tries)
    }

    @Test(
        "A worker that crashed with it, or lacks something for it, shall not have it again",
        arguments: [FailureClass.crash, .environment])
    func shunned(failureClass: FailureClass) {
        var job = JobLifecycle(state: .ready)
        _ = wearOut(&job, failureClass, atMost: 2)
        #expect(job.shunned == ["w1", "w2"])
        for _ in 0..<2 {
            job.state = .running
            _ = job.apply(.failed(failure: failure(.environment)), attempt: job.attempt, worker: "w1", at: now, luck: 0)
        }
        #expect(job.shunned == ["w1", "w2"], "each is named once")
    }

    @Test("Machines that lack something never count it out")
    func environment() {
        var job = JobLifecycle(state: .ready)
        #expect(wearOut(&job, .environment, atMost: 200).allSatisfy { $0 == .retried })
        #expect(job.state == .ready && job.shunned.count == 200)
    }

    @Test("Failures of one class do not count for another")
    func separateCounts() {
        var job = JobLifecycle(state: .ready)
        _ = wearOut(&job, .transient, atMost: 4)
        _ = wearOut(&job, .crash, atMost: 2)
        _ = wearOut(&job, .resource, atMost: 1)
        #expect(job.state == .ready && job.failures == [.transient: 4, .crash: 2, .resource: 1])
        #expect(wearOut(&job, .crash) == [.failed(failure(.crash))])
    }

    @Test("Lost five times it fails for good, and says which worker fell silent")
    func lostForGood() throws {
        var job = JobLifecycle(state: .ready)
        var verdict = JobLifecycle.Verdict.ignored
        for _ in 1...5 {
            let dispatched = job.dispatch()
            let attempt = try #require(dispatched)
            _ = job.apply(.started, attempt: attempt, worker: "w7", at: now, luck: 0)
            verdict = job.lose(attempt: attempt, at: now, luck: 0)
        }
        guard case .failed(let failure) = verdict else {
            Issue.record("\(verdict)")
            return
        }
        #expect(failure.failureClass == .transient && failure.message.contains("w7") && job.state == .failed)
    }

    @Test("Retries of something transient are put off further and further")
    func delays() {
        var job = JobLifecycle(state: .ready)
        var waits: [Double] = []
        for _ in 1...4 {
            _ = wearOut(&job, .transient, atMost: 1)
            waits.append(job.notBefore.timeIntervalSince(now))
        }
        #expect(waits == [0.75, 1.5, 3, 6])
    }
}
