import ExportPlan
import FarmAPI
import Scheduling
import Testing
import FoundationEssentials

@Suite("Stragglers")
struct StragglerTests {
    /// A farm with two workers of two slots, on which one job of an export runs at `w1`.
    private func farm(predicted: Double = 10) -> SmallFarm {
        var farm = SmallFarm()
        for id in ["w1", "w2"] { farm.worker(id, slots: 2) }
        farm.export(1)
        farm.job(1, of: 1, .video, predicted)
        farm.dispatch()
        farm.handle(.started(1, worker: "w1"))
        return farm
    }

    /// The heartbeats of workers, of which the first runs job 1 for so many seconds.
    private func statuses(
        after seconds: Double, done: Int = 0, of total: Int = 0, others: [WorkerStatus.Running] = [], slots: Int = 2
    ) -> [WorkerStatus] {
        let running = WorkerStatus.Running(
            job: 1, attempt: 3, kind: .video, done: done, total: total, startedAt: SmallFarm.start)
        return [("w1", [running]), ("w2", others)].map { id, running in
            WorkerStatus(
                id: id, host: "h", version: "1", roles: WorkerRole.allCases, pools: ["default"], slots: slots,
                startedAt: SmallFarm.start, seenAt: SmallFarm.start + seconds, isDraining: false, running: running)
        }
    }

    private let copy = [Straggler(attempt: AttemptID(job: 1, attempt: 3), worker: "w2")]

    @Test("are jobs that take three times as long as predicted, and fifteen seconds at least")
    func time() {
        #expect(farm().scheduler.stragglers(among: statuses(after: 29)).isEmpty)
        #expect(farm().scheduler.stragglers(among: statuses(after: 30)) == copy)
        #expect(farm(predicted: 0.1).scheduler.stragglers(among: statuses(after: 14)).isEmpty)
        #expect(farm(predicted: 0.1).scheduler.stragglers(among: statuses(after: 15)) == copy)
    }

    @Test("are not jobs that will end sooner than a copy would")
    func nearlyDone() {
        #expect(farm().scheduler.stragglers(among: statuses(after: 40, done: 81, of: 100)).isEmpty)
        #expect(farm().scheduler.stragglers(among: statuses(after: 40, done: 79, of: 100)) == copy)
    }

    @Test("are copied only where nothing is due and the export waits for its last jobs")
    func due() {
        var busy = farm()
        busy.export(2)
        for job in 2...9 as ClosedRange<Int64> { busy.job(job, of: 2) }
        #expect(busy.scheduler.stragglers(among: statuses(after: 40)).isEmpty, "other jobs can use the slots")
        var early = farm()
        early.job(2, of: 1, after: 100)
        #expect(early.scheduler.stragglers(among: statuses(after: 40)).isEmpty, "the export waits for another job as well")
        var paused = farm()
        paused.handle(.pausedRoles([.video]))
        #expect(paused.scheduler.stragglers(among: statuses(after: 40)).isEmpty, "an operator has paused the role")
    }

    @Test("do not go to a worker that failed on them, also where the scheduler learned of them in flight")
    func excluded() {
        var dispatched = SmallFarm()
        for id in ["w1", "w2"] { dispatched.worker(id, slots: 2) }
        dispatched.export(1)
        dispatched.job(1, of: 1, .video, 10, besides: ["w2"])
        dispatched.dispatch()
        dispatched.handle(.started(1, worker: "w1"))
        #expect(dispatched.scheduler.stragglers(among: statuses(after: 40)).isEmpty)
        var learned = SmallFarm()
        for id in ["w1", "w2"] { learned.worker(id, slots: 2) }
        learned.export(1)
        func inFlight(_ id: Int64, besides excluded: [String]) -> SchedulerEvent {
            .inFlight(
                ReadyJob(
                    id: id, export: learned.id(1), kind: .video, ordinal: 1, key: ArtifactKey("\(id)"), predicted: 10,
                    notBefore: SmallFarm.start, excludedWorkers: excluded), worker: "w1")
        }
        learned.handle(inFlight(1, besides: ["w2"]))
        #expect(learned.scheduler.stragglers(among: statuses(after: 40)).isEmpty)
        learned.handle(.ended(1, seconds: 40))
        learned.handle(inFlight(1, besides: []))
        #expect(learned.scheduler.stragglers(among: statuses(after: 40)) == copy)
    }

    @Test("go to another worker that has enough idle slots, takes jobs and does not run them already")
    func worker() {
        let other = WorkerStatus.Running(
            job: 8, attempt: 1, kind: .video, done: 0, total: 0, startedAt: SmallFarm.start, width: 2)
        #expect(farm().scheduler.stragglers(among: statuses(after: 40, others: [other])).isEmpty)
        var copied = other
        (copied.job, copied.attempt, copied.width) = (1, 4, 1)
        #expect(farm().scheduler.stragglers(among: statuses(after: 40, others: [copied])).isEmpty, "there is a copy already")
        var draining = statuses(after: 40)
        draining[1].isDraining = true
        #expect(farm().scheduler.stragglers(among: draining).isEmpty)
        var elsewhere = statuses(after: 40)
        elsewhere[1].pools = ["gpu"]
        #expect(farm().scheduler.stragglers(among: elsewhere).isEmpty)
    }
}
