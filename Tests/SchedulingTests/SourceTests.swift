import ExportPlan
import FarmAPI
import Scheduling
import Testing
import FoundationEssentials

@Suite("Jobs and the workers that have their sources")
struct SourceTests {
    private func ready(_ farm: SmallFarm, _ job: Int64, of export: Int64, _ kind: JobKind = .video, source: Int64)
        -> SchedulerEvent
    {
        .ready(
            ReadyJob(
                id: job, export: farm.id(export), kind: kind, ordinal: Int(job), key: ArtifactKey("\(job)"), predicted: 1,
                source: source))
    }

    /// Two workers, of which `w2` has done a job with the source 5.
    private func farm(slots: Int = 2) -> SmallFarm {
        var farm = SmallFarm()
        for id in ["w1", "w2"] { farm.worker(id, slots: slots) }
        farm.export(1)
        farm.handle(ready(farm, 1, of: 1, source: 5))
        farm.dispatch()
        #expect(farm.sent.map(\.worker) == [nil], "nobody has it yet")
        farm.handle(.started(1, worker: "w2"))
        farm.end(1, seconds: 1)
        return farm
    }

    @Test("A job goes to the worker that has its source and a free slot, and one with another source goes to the lane")
    func free() {
        var farm = farm()
        farm.handle(ready(farm, 2, of: 1, source: 5))
        farm.dispatch()
        #expect(farm.sent.last?.worker == "w2")
        farm.handle(.started(2, worker: "w2"))
        farm.handle(ready(farm, 3, of: 1, source: 6))
        farm.dispatch()
        #expect(farm.sent.last?.job == 3 && farm.sent.last?.worker == nil)
    }

    @Test("Nothing waits for a busy worker while others are idle")
    func busy() {
        var farm = farm()
        for job in 2...4 as ClosedRange<Int64> { farm.handle(ready(farm, job, of: 1, source: 5)) }
        farm.dispatch()
        #expect(farm.sent.suffix(3).map(\.worker) == ["w2", "w2", nil])
    }

    @Test("With a backlog a worker is sent a quarter of its slots ahead, and what waits there is found when others are idle")
    func backlog() {
        var farm = farm(slots: 4)
        for job in 2...40 as ClosedRange<Int64> { farm.handle(ready(farm, job, of: 1, source: 5)) }
        let sent = farm.dispatch()
        #expect(sent.count == 10 && farm.sent.suffix(10).count { $0.worker == "w2" } == 5)
        #expect(farm.scheduler.workersWithWaitingTickets.isEmpty, "there is a backlog")
        for job in 12...40 as ClosedRange<Int64> { farm.handle(.notReady(job)) }
        for (job, worker, _) in farm.sent.suffix(10) where worker == nil { farm.end(job, seconds: 1) }
        #expect(farm.scheduler.workersWithWaitingTickets == ["w2"])
        for (job, worker, _) in farm.sent.suffix(10) where worker == "w2" { farm.handle(.started(job, worker: "w2")) }
        #expect(farm.scheduler.workersWithWaitingTickets.isEmpty, "all have begun")
    }

    @Test("A job that joins artifacts goes to a worker that has made some of them")
    func artifacts() {
        var farm = farm()
        farm.handle(ready(farm, 2, of: 1, .stitch, source: 0))
        farm.dispatch()
        #expect(farm.sent.last?.worker == "w2")
        farm.export(2)
        farm.handle(ready(farm, 3, of: 2, .stitch, source: 0))
        farm.dispatch()
        #expect(farm.sent.last?.worker == nil)
    }

    @Test("A worker that is gone, paused, or has read much else since is not preferred")
    func forgotten() {
        var gone = farm()
        gone.handle(.workerGone("w2"))
        gone.worker("w2", slots: 2)
        gone.handle(ready(gone, 2, of: 1, source: 5))
        gone.dispatch()
        #expect(gone.sent.last?.worker == nil)
        var paused = farm()
        paused.worker("w2", slots: 2, pausedFor: "its store is away")
        paused.handle(ready(paused, 2, of: 1, source: 5))
        paused.dispatch()
        #expect(paused.sent.last?.worker == nil)
        var other = farm()
        for job in 10...80 as ClosedRange<Int64> {
            other.handle(ready(other, job, of: 1, source: job))
            other.dispatch()
            other.handle(.started(job, worker: "w2"))
            other.end(job, seconds: 1)
        }
        other.handle(ready(other, 2, of: 1, source: 5))
        other.dispatch()
        #expect(other.sent.last?.worker == nil)
    }
}
