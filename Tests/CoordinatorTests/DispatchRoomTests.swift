import FarmAPI
import Coordinator
import ExportPlan
import JobQueue
import Testing
import FoundationEssentials

@Suite("Dispatch room")
struct DispatchRoomTests {
    private func worker(_ roles: [WorkerRole], pools: [String] = ["default"], slots: Int, draining: Bool = false) -> WorkerStatus
    {
        WorkerStatus(
            id: "w\(slots)\(roles.count)\(pools.count)", host: "h", version: "1", roles: roles, pools: pools, slots: slots,
            startedAt: Date(), seenAt: Date(), isDraining: draining, running: [])
    }

    private let video = JobLane(.video, pool: "default")

    @Test("A small farm is sent as many jobs as it has slots, a large farm a quarter more")
    func sizes() {
        #expect(DispatchRoom([worker([.video], slots: 4)], inFlight: [:]).room(.video) == 4)
        #expect(DispatchRoom([worker([.video], slots: 8)], inFlight: [:]).room(.video) == 10)
        #expect(DispatchRoom([worker([.video], slots: 4)], inFlight: [video: LaneLoad(jobs: 3)]).room(.video) == 1)
        #expect(DispatchRoom([worker([.video], slots: 4)], inFlight: [video: LaneLoad(jobs: 9)]).room(.video) == 0)
        #expect(DispatchRoom([], inFlight: [:]).room(.video) == 0)
        #expect(DispatchRoom([worker([.video], slots: 4, draining: true)], inFlight: [:]).room(.video) == 0)
    }

    @Test("The roles of one worker share its slots")
    func roles() {
        var room = DispatchRoom([worker([.video, .audio], slots: 2), worker([.audio], slots: 1)], inFlight: [:])
        #expect(room.room(.video) == 2 && room.room(.audio) == 3 && room.room(.stitch) == 0)
        room.take(video)
        room.take(video)
        #expect(room.room(.video) == 0 && room.room(.audio) == 1)
    }

    @Test("A pool has the room of the workers that serve it, and none without workers")
    func pools() {
        let gpu = JobLane(.video, pool: "gpu")
        let room = DispatchRoom(
            [worker([.video], slots: 2), worker([.video], pools: ["default", "gpu"], slots: 1)],
            inFlight: [gpu: LaneLoad(jobs: 1)])
        #expect(room.room(.video) == 2)
        #expect(room.room(gpu) == 0 && room.room(video) == 2)
        #expect(room.room(JobLane(.video, pool: "nobody")) == 0)
    }

    @Test("Jobs in flight in a lane without workers take no room from others")
    func deadLane() {
        let gpu = JobLane(.video, pool: "gpu")
        let stuck = [gpu: LaneLoad(jobs: 6, long: 6), video: LaneLoad(jobs: 1)]
        let idle = worker([.video], slots: 2)
        let room = DispatchRoom([idle], inFlight: stuck)
        #expect(room.room(.video) == 1 && room.room(video) == 1 && room.roomForLongJobs(video) == 1)
        #expect(room.room(gpu) == 0)
        let draining = worker([.video], pools: ["gpu"], slots: 6, draining: true)
        #expect(DispatchRoom([idle, draining], inFlight: stuck).room(video) == 1)
        var paused = worker([.video], pools: ["gpu"], slots: 6)
        paused.pausedFor = "its store is away"
        #expect(DispatchRoom([idle, paused], inFlight: stuck).room(video) == 1)
        // With workers the lane counts again.
        #expect(DispatchRoom([idle, worker([.video], pools: ["gpu"], slots: 1)], inFlight: stuck).room(video) == 0)
    }

    @Test(
        "Long jobs leave a quarter of the slots free, and at least one where there are two",
        arguments: [(1, 1), (2, 1), (3, 2), (4, 3), (8, 6), (40, 30)])
    func longJobs(slots: Int, long: Int) {
        let sound = JobLane(.audio, pool: "default")
        var room = DispatchRoom([worker(WorkerRole.allCases, slots: slots)], inFlight: [:])
        for _ in 0..<long {
            #expect(room.roomForLongJobs(sound) > 0)
            room.take(sound, isLong: true)
        }
        #expect(room.roomForLongJobs(sound) == 0)
        #expect(room.roomForLongJobs(JobLane(.stitch, pool: "default")) == 0, "whatever their role")
        #expect((room.room(sound) > 0) == (slots > 1), "others still go")
        #expect(
            DispatchRoom([worker(WorkerRole.allCases, slots: slots)], inFlight: [sound: LaneLoad(jobs: long, long: long)])
                .roomForLongJobs(sound) == 0)
    }

    @Test("A job that only a paused worker may take waits for it, and goes to no excluded worker meanwhile")
    func paused() {
        var paused = worker([.video], slots: 1)
        paused.pausedFor = "its store is away"
        let excluded = worker([.video], slots: 2)
        let candidate = DispatchCandidate(
            job: 1, kind: .video, tenant: 1, export: ExportID(), exportNumber: 1, ordinal: 0, key: .named("a"), pool: "default",
            priority: 0, weight: 1, readySince: Date(), excludedWorkers: [excluded.id])
        let waiting = DispatchRoom.split([candidate], by: [paused, excluded])
        #expect(waiting.able.isEmpty && waiting.excluding.isEmpty)
        paused.pausedFor = nil
        #expect(DispatchRoom.split([candidate], by: [paused, excluded]).able == [candidate])
        #expect(DispatchRoom.split([candidate], by: [excluded]).excluding == [candidate])
        #expect(DispatchRoom.split([candidate], by: []).able == [candidate])
    }

    @Test("Long jobs leave a slot of each role free, even where other workers have free slots")
    func longJobsOfARole() {
        let sound = JobLane(.audio, pool: "default")
        var room = DispatchRoom([worker([.video], slots: 8), worker([.audio, .stitch], slots: 2)], inFlight: [:])
        #expect(room.roomForLongJobs(sound) == 1)
        room.take(sound, isLong: true)
        #expect(room.roomForLongJobs(sound) == 0 && room.room(sound) == 1)
    }
}
