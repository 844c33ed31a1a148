import Coordinator
import ExportPlan
import FarmAPI
import JobQueue
import Postgres
import Synchronization
import Telemetry
import TestSupport
import Testing
import FoundationEssentials

@Suite("What is observed of a farm", .timeLimit(.minutes(5)))
struct ObservationTests {
    @Test("The store counts open jobs and their predicted seconds by role, pool and state", arguments: StoreKind.allCases)
    func counts(_ kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let export = try await farm.rendering(SampleFilm(pictures: ["sea", "hills"], sounds: ["waves"]))
            let jobs = try await farm.jobs(export)
            let counts = try await farm.store.observe(at: Date().addingTimeInterval(5))
            for state in [JobState.ready, .waiting] {
                for role in WorkerRole.allCases {
                    let expected = jobs.filter { $0.state == state && $0.kind.role == role }
                    let lane = counts.lanes.first { $0.state == state && $0.role == role }
                    #expect(lane?.jobs ?? 0 == expected.count)
                    let predicted = expected.compactMap(\.predicted).reduce(0, +)
                    #expect(abs((lane?.seconds ?? 0) - predicted) < 1e-6)
                    #expect(lane == nil || lane?.pool == "default")
                }
            }
            #expect((counts.oldestReady[.video] ?? 0) > 1)
            #expect(counts.openExports[.rendering] == 1)
            #expect(counts.paused == [])
            try await farm.store.setPaused(.audio, true)
            _ = try await farm.store.cancel(export)
            let after = try await farm.store.observe(at: Date())
            #expect(after.lanes == [])
            #expect(after.paused == [.audio])
            #expect(after.openExports[.rendering] == 0)
            #expect(try await farm.store.assetBytes() == 0)
        }
    }

    @Test("A store that cannot be used is missing, and why is for the log alone")
    func unusableStore() async throws {
        let observer = FarmObserver(
            store: MemoryFarmStore(), queue: MemoryJobQueue(), timeout: .seconds(600),
            room: { throw FarmError(.unavailable, "the directory is gone") })
        let (readiness, errors) = await observer.readiness()
        #expect(readiness.missing == ["the store cannot be used"] && !readiness.isReady && readiness.store == false)
        #expect(errors.map(\.part) == ["store"] && errors.map { "\($0.error)" } == ["the directory is gone"])
    }

    @Test("Pools that no worker has served are counted together, so that no client's text is a label")
    func pools() {
        var counts = FarmCounts()
        counts.servedPools = ["gpu"]
        counts.lanes = ["default", "gpu", "a\"b", "c"].map {
            FarmCounts.Lane(role: .video, pool: $0, state: .ready, jobs: 2, seconds: 3)
        }
        let samples = FarmObserver.samples(of: counts)
        let backlog = samples.filter { $0.metric == .backlog && $0.labels[0] == "video" }
        #expect(
            Dictionary(uniqueKeysWithValues: backlog.map { ($0.labels[1], $0.value) }) == ["default": 3, "gpu": 3, "other": 6])
        // A lane without jobs has a backlog of 0.
        #expect(samples.contains(MetricSample(.backlog, ["audio", "gpu"], 0)))
    }

    @Test("A thousand workers make as many series as two, and their slots add up")
    func manyWorkers() {
        func workers(_ count: Int) -> [WorkerStatus] {
            (0..<count).map { number in
                var worker = WorkerStatus(
                    id: "w\(number)", host: "h", version: "1", roles: WorkerRole.allCases, pools: ["default", "pool\(number)"],
                    slots: 4, startedAt: Date(), seenAt: Date(), isDraining: number.isMultiple(of: 2),
                    running: [
                        WorkerStatus.Running(job: 1, attempt: 1, kind: .video, done: 0, total: 1, startedAt: Date(), width: 3)
                    ])
                worker.queueSeconds = Double(number)
                return worker
            }
        }
        let few = FarmObserver.samples(of: workers(2), pools: ["default"])
        let many = FarmObserver.samples(of: workers(1000), pools: ["default"])
        #expect(few.count == many.count)
        #expect(many.contains(MetricSample(.slots, ["video", "default", "busy"], 3000)))
        #expect(many.contains(MetricSample(.slots, ["video", "default", "free"], 500)))
        #expect(many.contains(MetricSample(.slots, ["video", "default", "closed"], 500)))
        #expect(many.contains(MetricSample(.workers, ["stitch", "other", "draining"], 500)))
        #expect(many.contains(MetricSample(.workerQueueTime, 999)))
    }

    @Test("However many ask, one looks, and a look that hangs delays nobody beyond the timeout")
    func cachedLook() async throws {
        let looks = Mutex(0)
        let asked = CallCounter()
        let look = CachedLook(at: "the test", lifetime: .seconds(600), timeout: .seconds(60)) { () -> Int in
            while asked.count < 100 { try await nextLook() }
            return looks.withLock { count in
                count += 1
                return count
            }
        }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    asked.add()
                    return try await look.value()
                }
            }
            for try await value in group { #expect(value == 1) }
        }
        let starts = Mutex(0)
        let hanging = CachedLook(at: "the test", lifetime: .zero, timeout: .milliseconds(50)) {
            starts.withLock { $0 += 1 }
            try await Task.sleep(for: .seconds(3600))
        }
        let began = ContinuousClock.now
        for _ in 0..<3 { await #expect(throws: NoAnswer.self) { try await hanging.value() } }
        #expect(began.duration(to: .now) < .seconds(30))
        #expect(starts.withLock { $0 } == 1)
    }

    @Test("Reports are counted once, by kind, outcome and class")
    func ends() async throws {
        try await onStore(.memory) { farm in
            let export = try await farm.rendering(SampleFilm(pictures: ["sea"], sounds: []))
            let ticket = try await farm.dispatch(export, .video)
            #expect(ticket.export == export)
            let failed = JobReport(
                ticket.identity, worker: "w", .failed(failure: JobFailure(.transient, subject: "", message: "m")))
            let first = try await farm.store.apply(failed, at: farm.now, jitter: 0)
            #expect(first.ends.map(\.state) == [.failed])
            #expect(first.ends.first?.failureClass == .transient && first.ends.first?.isFinal == false)
            #expect(try await farm.store.apply(failed, at: farm.now, jitter: 0).ends == [])
        }
    }
}
