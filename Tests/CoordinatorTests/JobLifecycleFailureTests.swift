import FarmAPI
import Coordinator
import ExportPlan
import JobQueue
import Testing
import FoundationEssentials

@Suite("Job lifecycle: failures")
struct JobLifecycleFailureTests {
    private let now = Date(timeIntervalSince1970: 1_000_000)

    private func failure(_ failureClass: FailureClass, missing: [ArtifactKey] = []) -> JobFailure {
        JobFailure(failureClass, subject: "sea.mp4", message: "went wrong", missingArtifacts: missing)
    }

    private func handle(
        _ outcome: JobReport.Outcome, of job: inout JobLifecycle, worker: String = "w1", jitter: Double = 0
    ) -> [JobLifecycle.Action] {
        let report = JobReport(AttemptID(job: 1, attempt: job.attempt), worker: worker, outcome)
        return job.handle(.reported(report), at: now, jitter: jitter)
    }

    /// Lets attempts fail, each on another worker, until the job is over.
    private func failUntilOver(_ job: inout JobLifecycle, _ failure: JobFailure, atMost limit: Int = 50) -> Int {
        var count = 0
        while count < limit, !job.handle(.dispatched, at: now).isEmpty {
            let worker = "w\(job.attempt)"
            _ = handle(.failed(failure: failure), of: &job, worker: worker, jitter: 0.5)
            count += 1
        }
        return count
    }

    @Test(
        "A job fails for good after its class's number of attempts, and ends its export with the last failure",
        arguments: [(FailureClass.input, 1), (.transient, 5), (.resource, 2), (.crash, 3)])
    func tries(failureClass: FailureClass, tries: Int) {
        var job = JobLifecycle(.video, state: .ready)
        #expect(failUntilOver(&job, failure(failureClass), atMost: tries - 1) == tries - 1)
        #expect(job.state == .ready)
        _ = job.handle(.dispatched, at: now)
        let actions = handle(.failed(failure: failure(failureClass)), of: &job)
        #expect(job.state == .failed && job.attempt == tries)
        #expect(
            actions == [
                .endAttempt(tries, .failed, worker: "w1", failure: failure(failureClass)), .recordState,
                .logEvent(.jobFailed, "'sea.mp4' went wrong"), .failExport(failure(failureClass)), .wakeLeader,
            ])
    }

    @Test(
        "A source that cannot be probed is a probe result; the farm's own failures end the export",
        arguments: [FailureClass.input, .crash, .transient, .resource])
    func probes(failureClass: FailureClass) {
        var job = JobLifecycle(.probe, state: .ready, failures: [failureClass: 4])
        _ = job.handle(.dispatched, at: now)
        let actions = handle(.failed(failure: failure(failureClass)), of: &job)
        #expect(job.state == .failed)
        let isOfSource = failureClass == .input || failureClass == .crash
        #expect(actions.contains(.recordProbeFault(failure(failureClass))) == isOfSource)
        #expect(actions.contains(.failExport(failure(failureClass))) == !isOfSource)
    }

    @Test("Facts of a changed source and an asset with damaged bytes are forgotten")
    func forgotten() {
        var gone = failure(.input)
        gone.changedSource = "asset:sea"
        gone.damagedAsset = "hills"
        var job = JobLifecycle(.video, state: .running, attempt: 1)
        let actions = handle(.failed(failure: gone), of: &job)
        #expect(actions.contains(.forgetFacts(of: "asset:sea")) && actions.contains(.forgetAsset("hills")))
    }

    @Test("A job that misses artifacts waits until they are made again, and no attempt is used up")
    func missing() {
        let keys = [ArtifactKey("sea"), ArtifactKey("hills")]
        var job = JobLifecycle(.stitch, state: .running, attempt: 1)
        let actions = handle(.failed(failure: failure(.transient, missing: keys)), of: &job)
        #expect(job.state == .waiting && job.failures.isEmpty && job.missedArtifacts == 1)
        #expect(actions.suffix(3) == [.recordState, .remakeArtifacts(keys), .wakeLeader])
    }

    @Test("A job fails as storage when its artifacts are gone for the hundred and first time")
    func lostForEver() {
        var job = JobLifecycle(.stitch, state: .running, attempt: 1, missedArtifacts: 99)
        let missing = failure(.transient, missing: [ArtifactKey("sea")])
        _ = handle(.failed(failure: missing), of: &job)
        #expect(job.state == .waiting)
        job.state = .running
        let actions = handle(.failed(failure: missing), of: &job)
        #expect(job.state == .failed)
        let isOfStorage = actions.contains { action in
            if case .failExport(let failure) = action { failure.failureClass == .storage } else { false }
        }
        #expect(isOfStorage)
    }

    @Test(
        "A worker that crashed with a job, or lacks something for it, is excluded",
        arguments: [FailureClass.crash, .environment])
    func excludedWorkers(failureClass: FailureClass) {
        var job = JobLifecycle(.video, state: .ready)
        _ = failUntilOver(&job, failure(failureClass), atMost: 2)
        #expect(job.excludedWorkers == ["w1", "w2"])
        for _ in 0..<2 {
            job.state = .running
            _ = handle(.failed(failure: failure(.environment)), of: &job)
        }
        #expect(job.excludedWorkers == ["w1", "w2"], "each is named once")
    }

    @Test("A job never fails for good because machines lack something")
    func environment() {
        var job = JobLifecycle(.video, state: .ready)
        #expect(failUntilOver(&job, failure(.environment), atMost: 200) == 200)
        #expect(job.state == .ready && job.excludedWorkers.count == 200)
    }

    @Test("Failures of one class do not count against another class")
    func separateCounts() {
        var job = JobLifecycle(.video, state: .ready)
        _ = failUntilOver(&job, failure(.transient), atMost: 4)
        _ = failUntilOver(&job, failure(.crash), atMost: 2)
        _ = failUntilOver(&job, failure(.resource), atMost: 1)
        #expect(job.state == .ready && job.failures == [.transient: 4, .crash: 2, .resource: 1])
        #expect(failUntilOver(&job, failure(.crash)) == 1 && job.state == .failed)
    }

    @Test("A job whose lease expires five times fails for good and names the worker")
    func lostForGood() throws {
        var job = JobLifecycle(.video, state: .ready)
        var actions: [JobLifecycle.Action] = []
        for _ in 1...5 {
            #expect(job.state == .ready)
            _ = job.handle(.dispatched, at: now)
            _ = handle(.started, of: &job, worker: "w7")
            actions = job.handle(.leaseExpired(attempt: job.attempt), at: now)
        }
        #expect(job.state == .failed)
        #expect(actions.prefix(2) == [.endAttempt(5, .lost), .logEvent(.jobLost, "the lease of worker 'w7' expired")])
        let failures = actions.compactMap { action in
            if case .failExport(let failure) = action { failure } else { nil }
        }
        let failure = try #require(failures.first)
        #expect(failure.failureClass == .transient)
        #expect(failure.message == "the lease of worker 'w7' expired before the job was done")
    }

    @Test("The pauses before retries of a transient failure grow")
    func delays() {
        var job = JobLifecycle(.video, state: .ready)
        var waits: [Double] = []
        for _ in 1...4 {
            _ = failUntilOver(&job, failure(.transient), atMost: 1)
            waits.append(job.notBefore.timeIntervalSince(now))
        }
        #expect(waits == [0.75, 1.5, 3, 6])
    }
}
