import Coordinator
import ExportPlan
import JobQueue
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Whatever happens to a job, in whatever order, late and twice: what must never happen does not.
@Suite("A job at random")
struct JobLifecycleWalkTests {
    private static let classes: [FailureClass] = [.input, .transient, .resource, .environment, .crash]

    @Test(
        "Attempts never fall, what is over stays over, and a success is never undone",
        arguments: UInt64(1)...200)
    func walk(seed: UInt64) {
        var numbers = RandomNumbers(seed: seed)
        var job = JobLifecycle(state: .ready)
        var now = Date(timeIntervalSince1970: 0)
        for _ in 0..<200 {
            now += .random(in: 0...5, using: &numbers)
            let before = job
            let verdict = step(&job, at: now, &numbers)
            expectOrder(before, job, verdict)
        }
    }

    private func step(_ job: inout JobLifecycle, at now: Date, _ numbers: inout RandomNumbers) -> JobLifecycle.Verdict? {
        let luck = Double.random(in: 0...1, using: &numbers)
        // Mostly the attempt under way, else an earlier one, or one that there never was.
        let attempt = Bool.random(using: &numbers) ? job.attempt : Int.random(in: 0...(job.attempt + 1), using: &numbers)
        let worker = "w\(Int.random(in: 1...3, using: &numbers))"
        func report(_ outcome: JobReport.Outcome) -> JobLifecycle.Verdict {
            job.apply(outcome, attempt: attempt, worker: worker, at: now, luck: luck)
        }
        switch Int.random(in: 0..<100, using: &numbers) {
        case 0..<40:
            _ = job.dispatch()
            return nil
        case 40..<60: return report(.started)
        case 60..<63: return report(.finished(result: JobResult(), reused: Bool.random(using: &numbers)))
        case 63..<75:
            let failureClass = Self.classes[Int.random(in: 0..<5, using: &numbers)]
            return report(.failed(failure: JobFailure(failureClass, subject: "", message: "went wrong")))
        case 75..<85: return report(.returned)
        case 85..<90: return report(.cancelled)
        case 90..<99: return job.lose(attempt: attempt, at: now, luck: luck)
        default:
            _ = job.cancel()
            return nil
        }
    }

    private func expectOrder(_ before: JobLifecycle, _ after: JobLifecycle, _ verdict: JobLifecycle.Verdict?) {
        #expect(after.attempt >= before.attempt && after.attempt <= before.attempt + 1)
        if before.state.isTerminal { #expect(after == before) }
        if verdict == .ignored { #expect(after == before) }
        if verdict == .done { #expect(after.state == .done) }
        if verdict == .retried { #expect(after.state == .ready) }
        if after.attempt > before.attempt { #expect(before.state == .ready && after.state == .dispatched) }
        for (failureClass, count) in before.failures { #expect(after.failures[failureClass, default: 0] >= count) }
        #expect(after.shunned.starts(with: before.shunned))
    }
}
