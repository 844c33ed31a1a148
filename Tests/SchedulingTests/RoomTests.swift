import FarmAPI
import ExportPlan
import Scheduling
import Testing
import FoundationEssentials

@Suite("Room for jobs")
struct RoomTests {
    @Test("Jobs in flight of a lane that no worker serves take no room, and its ready jobs wait until one does")
    func deadLane() {
        var farm = SmallFarm()
        farm.worker("gpu", pools: ["gpu"], slots: 2)
        farm.worker("w1", slots: 2)
        farm.export(1, pool: "gpu", priority: 5)
        farm.export(2)
        for job in 1...8 as ClosedRange<Int64> { farm.job(job, of: 1) }
        #expect(farm.dispatch() == [1, 2])
        farm.handle(.workerGone("gpu"))
        for job in 11...15 as ClosedRange<Int64> { farm.job(job, of: 2) }
        #expect(farm.dispatch() == [11, 12], "both slots of the living worker")
        #expect(
            farm.scheduler.lanesWithoutWorkers == [LaneWithoutWorkers(role: .video, pool: "gpu", due: 6, inFlight: 2)])
        farm.worker("gpu2", pools: ["gpu"], slots: 2)
        #expect(farm.dispatch().isEmpty, "the two jobs of the pool are still in flight")
        #expect(farm.scheduler.lanesWithoutWorkers.isEmpty)
        farm.end(1)
        #expect(farm.dispatch() == [3])
    }

    @Test(
        "A small farm is sent as many jobs as it has slots, a large farm a quarter more", arguments: [(4, 4), (8, 10), (40, 50)])
    func sizes(slots: Int, jobs: Int) {
        var farm = SmallFarm(slots: slots)
        farm.export(1)
        for job in 1...60 as ClosedRange<Int64> { farm.job(job, of: 1) }
        #expect(farm.dispatch().count == jobs)
        farm.end(1)
        #expect(farm.dispatch().count == 1)
    }

    @Test("Long jobs of whole films never hold the last slots", arguments: [(1, 1), (2, 1), (3, 2), (4, 3), (8, 6), (40, 30)])
    func longJobs(slots: Int, long: Int) {
        var farm = SmallFarm(slots: slots)
        farm.export(1)
        for job in 1...60 as ClosedRange<Int64> { farm.job(job, of: 1, job % 2 == 0 ? .soundtrack : .stitch, 400) }
        #expect(farm.dispatch().count == long)
        farm.job(99, of: 1)
        #expect(farm.dispatch() == (slots > 1 ? [99] : []))
    }

    @Test("The first job of an urgent export is sent although all slots are busy, and its others wait for room")
    func urgent() {
        var farm = SmallFarm(slots: 2)
        farm.handle(.tenant(1, share: 1, priorityCap: 5))
        farm.export(1)
        for job in 1...6 as ClosedRange<Int64> { farm.job(job, of: 1) }
        #expect(farm.dispatch() == [1, 2])
        farm.export(2, priority: 9)
        for job in 11...13 as ClosedRange<Int64> { farm.job(job, of: 2) }
        #expect(farm.dispatch() == [11])
        farm.end(1)
        #expect(farm.dispatch().isEmpty, "the urgent job has the slot")
        farm.end(2)
        #expect(farm.dispatch() == [12])
    }

    @Test("Jobs of urgent exports, and the first of a tenant without jobs in flight, overtake the tickets in their lane")
    func express() {
        var farm = SmallFarm(slots: 8)
        farm.handle(.tenant(1, share: 1, priorityCap: 5))
        farm.export(1)
        for job in 1...20 as ClosedRange<Int64> { farm.job(job, of: 1) }
        #expect(farm.dispatch().count == 10)
        #expect(farm.express.isEmpty, "nothing waits in the lane before the first, and the tenant has jobs in flight then")
        farm.export(2, priority: 9)
        for job in 31...33 as ClosedRange<Int64> { farm.job(job, of: 2) }
        farm.export(3, tenant: 2)
        for job in 41...43 as ClosedRange<Int64> { farm.job(job, of: 3) }
        #expect(farm.dispatch() == [31])
        for job in 1...5 as ClosedRange<Int64> { farm.end(job) }
        #expect(farm.dispatch() == [32, 33, 41, 42])
        #expect(farm.express == [31, 32, 33, 41])
    }

    @Test("Nothing is sent to an express queue that a worker of its lane does not read")
    func earlierWorkers() {
        var farm = SmallFarm(slots: 8)
        farm.worker("w2", roles: [.audio], readsExpress: false)
        farm.worker("w3", roles: [.video], readsExpress: false)
        farm.handle(.tenant(1, share: 1, priorityCap: 5))
        farm.export(1, priority: 9)
        for job in 1...20 as ClosedRange<Int64> { farm.job(job, of: 1) }
        #expect(farm.dispatch().count == 11)
        farm.end(1)
        farm.dispatch()
        #expect(farm.express.isEmpty)
        farm.handle(.workerGone("w3"))
        for job in 2...6 as ClosedRange<Int64> { farm.end(job) }
        #expect(!farm.dispatch().isEmpty)
        #expect(!farm.express.isEmpty)
    }

    @Test("A worker that drains or pauses, and a role that is paused, get nothing")
    func pauses() {
        var farm = SmallFarm()
        farm.export(1)
        farm.job(1, of: 1)
        farm.worker("w1", draining: true)
        #expect(farm.dispatch().isEmpty)
        farm.worker("w1", pausedFor: "its store is away")
        #expect(farm.dispatch().isEmpty)
        farm.worker("w1")
        farm.handle(.pausedRoles([.video]))
        #expect(farm.dispatch().isEmpty)
        farm.handle(.pausedRoles([]))
        #expect(farm.dispatch() == [1])
    }

    @Test("A job is not sent to an excluded worker again, but by name to the one with the most free slots")
    func excluded() {
        var farm = SmallFarm()
        farm.worker("w1", slots: 4)
        farm.worker("w2", slots: 2)
        farm.worker("w3", slots: 3)
        farm.export(1)
        farm.job(1, of: 1, besides: ["w1"])
        farm.job(2, of: 1, besides: ["w1"])
        farm.dispatch()
        #expect(farm.sent.map(\.worker) == ["w3", "w2"], "each has three to give, then two: w2 has the lower name")
        farm.job(3, of: 1, besides: ["w1", "w2", "w3"])
        #expect(farm.dispatch().isEmpty && farm.withoutWorker == [3])
        farm.job(3, of: 1)
        #expect(farm.dispatch() == [3], "re-admitted")
    }

    @Test("A job that only a paused worker may take waits for it")
    func waitsForPaused() {
        var farm = SmallFarm()
        farm.worker("w1")
        farm.worker("w2", pausedFor: "its store is away")
        farm.export(1)
        farm.job(1, of: 1, besides: ["w1"])
        #expect(farm.dispatch().isEmpty && farm.withoutWorker.isEmpty)
        farm.worker("w2")
        farm.dispatch()
        #expect(farm.sent.map(\.worker) == ["w2"])
    }

    @Test("One job for an artifact of a tenant is in flight; the next follows when it ends, and another tenant's does not wait")
    func sameArtifact() {
        var farm = SmallFarm(slots: 4)
        farm.export(1)
        farm.export(2, tenant: 2)
        farm.job(1, of: 1, key: "sea")
        farm.job(2, of: 1, key: "sea")
        farm.job(3, of: 2, key: "sea")
        #expect(farm.dispatch() == [1, 3])
        farm.end(1)
        #expect(farm.dispatch() == [2])
    }

    @Test("A job waits for its time, and the scheduler says when to look again")
    func notBefore() {
        var farm = SmallFarm(slots: 1)
        farm.export(1)
        farm.job(1, of: 1, after: 5)
        farm.job(2, of: 1, after: 3)
        var scheduler = farm.scheduler
        #expect(scheduler.nextDue() == SmallFarm.start + 3)
        farm.run(until: 2)
        #expect(farm.sent.isEmpty)
        farm.run(until: 3)
        #expect(farm.dispatch() == [2])
    }

    @Test("An export that is removed sends nothing more, and takes room only for what is in flight")
    func removed() {
        var farm = SmallFarm(slots: 2)
        farm.export(1)
        for job in 1...4 as ClosedRange<Int64> { farm.job(job, of: 1) }
        farm.dispatch()
        farm.handle(.exportRemoved(farm.id(1)))
        farm.end(1)
        #expect(farm.dispatch().isEmpty)
        #expect(farm.scheduler.readyCount == 0 && farm.scheduler.inFlightCount == 1)
    }
}
