import Coordinator
import ExportPlan
import FarmAPI
import JobQueue
import Testing
import FoundationEssentials

/// The second attempt at a straggler.
@Suite("A copy of a job")
struct JobCopyTests {
    private let now = Date(timeIntervalSince1970: 1_000_000)

    /// A job whose first attempt runs at `w1` and whose second runs at `w2`.
    private func copied() -> JobLifecycle {
        var job = JobLifecycle(.video, state: .running, attempt: 1, worker: "w1")
        #expect(job.handle(.copied, at: now) == [.recordState, .addAttempt(2)])
        #expect(report(2, "w2", .started, &job) == [.startAttempt(2, worker: "w2")])
        #expect(job.state == .running && job.worker == "w1" && job.isUnderWay(1) && job.isUnderWay(2))
        return job
    }

    @discardableResult
    private func report(
        _ attempt: Int, _ worker: String, _ outcome: JobReport.Outcome, _ job: inout JobLifecycle
    ) -> [JobLifecycle.Action] {
        job.handle(.reported(JobReport(AttemptID(job: 7, attempt: attempt), worker: worker, outcome)), at: now)
    }

    private func failed(_ failureClass: FailureClass) -> JobReport.Outcome {
        .failed(failure: JobFailure(failureClass, subject: "", message: "no"))
    }

    @Test("is begun once, and only of an attempt that runs")
    func once() {
        for state in JobState.allCases where state != .running {
            var job = JobLifecycle(.video, state: state, attempt: 1)
            #expect(job.handle(.copied, at: now).isEmpty, "\(state)")
        }
        var job = copied()
        #expect(job.handle(.copied, at: now).isEmpty)
        report(2, "w2", failed(.transient), &job)
        #expect(job.handle(.copied, at: now).isEmpty, "also when the copy has failed")
    }

    @Test("ends the job when it succeeds first, and is cancelled when it does not", arguments: [1, 2])
    func first(_ winner: Int) {
        var job = copied()
        let actions = report(winner, "w\(winner)", .finished(result: JobResult(), reused: false), &job)
        #expect(job.state == .done && job.worker == "w\(winner)" && job.copy == nil)
        #expect(actions.contains(.cancelAttempts))
        #expect(actions.contains(.endAttempt(winner, .succeeded, worker: "w\(winner)", cost: JobCost())))
        #expect(!job.isUnderWay(1) && !job.isUnderWay(2))
        #expect(report(3 - winner, "w9", .finished(result: JobResult(), reused: true), &job).isEmpty)
    }

    @Test("leaves the job to the other attempt when one of them fails, is returned, or its lease expires", arguments: [1, 2])
    func other(_ loser: Int) {
        let outcomes: [JobReport.Outcome] = [failed(.transient), failed(.crash), .returned, .cancelled]
        for outcome in outcomes {
            var job = copied()
            let actions = report(loser, "w\(loser)", outcome, &job)
            #expect(job.state == .running && !job.isUnderWay(loser) && job.isUnderWay(3 - loser), "\(outcome)")
            #expect(actions.contains(.recordState) && !actions.contains(.cancelAttempts))
            #expect(report(loser, "w\(loser)", .returned, &job).isEmpty, "a second end changes nothing")
            // The other one ends like any attempt.
            report(3 - loser, "w\(3 - loser)", .returned, &job)
            #expect(job.state == .ready && job.copy == nil)
        }
        var job = copied()
        #expect(job.handle(.leaseExpired(attempt: loser), at: now).contains(.endAttempt(loser, .lost)))
        #expect(job.state == .running && job.failures == [.transient: 1])
        #expect(!job.handle(.leaseExpired(attempt: 3 - loser), at: now).isEmpty)
        #expect(job.state == .ready && job.attempt == 2)
    }

    @Test("ends with the job when one of them fails for good")
    func forGood() {
        var job = copied()
        let actions = report(2, "w2", failed(.input), &job)
        #expect(job.state == .failed && job.copy == nil && actions.contains(.cancelAttempts))
    }

    @Test("counts failures against the same limits as without it")
    func limits() {
        var job = copied()
        job.failures = [.transient: 4]
        #expect(job.handle(.leaseExpired(attempt: 1), at: now).contains(.cancelAttempts))
        #expect(job.state == .failed)
    }
}
