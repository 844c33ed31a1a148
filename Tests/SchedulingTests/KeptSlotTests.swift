import ExportPlan
import Scheduling
import Testing
import FoundationEssentials

@Suite("The slot of a probe")
struct KeptSlotTests {
    /// Two slots with segments of tenant 1, and a probe of tenant 2 that gets the first slot that becomes free.
    private func farm(slots: Int = 2) -> SmallFarm {
        var farm = SmallFarm(slots: slots)
        farm.export(1)
        for job in 1...40 as ClosedRange<Int64> { farm.job(job, of: 1) }
        farm.dispatch()
        farm.export(2, tenant: 2)
        farm.job(101, of: 2, .probe, 0.02)
        farm.end(1, seconds: 1)
        return farm
    }

    @Test("After the probe of a tenant's only film its slot waits for the film's first segment")
    func kept() {
        var farm = farm()
        #expect(farm.dispatch() == [101])
        farm.end(101, seconds: 0.02)
        #expect(farm.dispatch().isEmpty, "tenant 1 has 37 segments ready")
        var scheduler = farm.scheduler
        #expect(scheduler.nextDue() == SmallFarm.start + farm.now + 0.2)
        farm.job(102, of: 2)
        farm.job(103, of: 2)
        #expect(farm.dispatch() == [102])
        #expect(farm.scheduler.inFlightCount == 2)
        scheduler = farm.scheduler
        #expect(scheduler.nextDue() == nil)
    }

    @Test("The slot is kept for a fifth of a second at most")
    func late() {
        var farm = farm()
        farm.dispatch()
        farm.end(101, seconds: 0.02)
        #expect(farm.dispatch().isEmpty)
        farm.run(until: farm.now + 0.19)
        #expect(farm.dispatch().isEmpty)
        farm.run(until: farm.now + 0.02)
        #expect(farm.dispatch() == [3])
        #expect(farm.scheduler.inFlightCount == 2)
    }

    @Test("No slot is kept where the tenant has other jobs, where the probe was lost, or where the farm is large")
    func notKept() {
        var farm = farm()
        farm.job(104, of: 2, .probe, 0.02)
        #expect(farm.dispatch() == [101])
        farm.end(101, seconds: 0.02)
        #expect(farm.dispatch() == [104], "the film's other probe")
        farm.end(104, seconds: nil)
        #expect(farm.dispatch() == [3])
        farm = self.farm(slots: 8)
        #expect(farm.dispatch() == [101])
        farm.end(101, seconds: 0.02)
        #expect(farm.dispatch().count == 1)
    }

    @Test("No slot is kept any more once its worker has gone")
    func workerGone() {
        var farm = farm()
        farm.dispatch()
        farm.end(101, seconds: 0.02)
        farm.dispatch()
        farm.handle(.workerGone("w1"))
        farm.run(until: farm.now + 0.3)
        farm.end(2, seconds: nil)
        farm.worker("w2", slots: 2)
        #expect(farm.dispatch().count == 2)
    }
}
