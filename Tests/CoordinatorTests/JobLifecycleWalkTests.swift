import FarmAPI
import Coordinator
import ExportPlan
import JobQueue
import TestSupport
import Testing
import FoundationEssentials

/// Random events, in any order, late and repeated, must not break the lifecycle's rules.
@Suite("Job lifecycle with random events")
struct JobLifecycleWalkTests {
    private static let classes: [FailureClass] = [.input, .transient, .resource, .environment, .crash]

    @Test(
        "The attempt's number never falls, a job that is over stays over, and a success is never undone",
        arguments: UInt64(1)...200)
    func walk(seed: UInt64) {
        var numbers = RandomNumbers(seed: seed)
        var job = JobLifecycle(.video, state: .ready)
        var now = Date(timeIntervalSince1970: 0)
        for _ in 0..<200 {
            now += .random(in: 0...5, using: &numbers)
            let before = job
            let event = event(for: job, &numbers)
            let actions = job.handle(event, at: now, jitter: .random(in: 0...1, using: &numbers))
            expectOrder(before, job, event, actions)
        }
    }

    private func event(for job: JobLifecycle, _ numbers: inout RandomNumbers) -> JobLifecycle.Event {
        // Mostly the current attempt, else an earlier one or one that never existed.
        let attempt = Bool.random(using: &numbers) ? job.attempt : Int.random(in: 0...(job.attempt + 1), using: &numbers)
        let worker = "w\(Int.random(in: 1...3, using: &numbers))"
        func report(_ outcome: JobReport.Outcome) -> JobLifecycle.Event {
            .reported(JobReport(AttemptID(job: 1, attempt: attempt), worker: worker, outcome))
        }
        switch Int.random(in: 0..<100, using: &numbers) {
        case 0..<40: return .dispatched
        case 40..<60: return report(.started)
        case 60..<63: return report(.finished(result: JobResult(), reused: Bool.random(using: &numbers)))
        case 63..<75:
            let failureClass = Self.classes[Int.random(in: 0..<5, using: &numbers)]
            return report(.failed(failure: JobFailure(failureClass, subject: "", message: "went wrong")))
        case 75..<85: return report(.returned)
        case 85..<90: return report(.cancelled)
        case 90..<98: return .leaseExpired(attempt: attempt)
        case 98: return .needsMet
        default: return .exportEnded(as: .cancelled)
        }
    }

    private func expectOrder(
        _ before: JobLifecycle, _ after: JobLifecycle, _ event: JobLifecycle.Event, _ actions: [JobLifecycle.Action]
    ) {
        #expect(after.attempt >= before.attempt && after.attempt <= before.attempt + 1)
        if before.state.isTerminal { #expect(after == before) }
        #expect((after == before) == !actions.contains(.recordState) || event.isRepeatedStart(of: before))
        #expect(actions.count { $0 == .recordState } <= 1)
        if after.attempt > before.attempt { #expect(before.state == .ready && after.state == .dispatched) }
        for (failureClass, count) in before.failures { #expect(after.failures[failureClass, default: 0] >= count) }
        #expect(after.excludedWorkers.starts(with: before.excludedWorkers))
        // An attempt that ends is the one under way, unless it succeeds.
        for case .endAttempt(let number, let state, _, _, _) in actions where state != .succeeded {
            #expect(before.state.isInFlight && number == before.attempt && !after.state.isInFlight)
        }
    }
}

extension JobLifecycle.Event {
    /// A worker may report its start twice, and then the same is stored again.
    fileprivate func isRepeatedStart(of job: JobLifecycle) -> Bool {
        if case .reported(let report) = self, case .started = report.outcome { job.state == .running } else { false }
    }
}
