import FarmAPI
import Coordinator
import ExportPlan
import JobQueue
import Testing
import FoundationEssentials

@Suite("Dispatch policy")
struct DispatchPolicyTests {
    private let now = Date(timeIntervalSince1970: 1_000_000)
    private let exports = (0..<4).map { _ in ExportID() }

    /// - Parameter export: an index into `exports`; the export's number grows with it.
    private func candidate(
        _ job: Int64, kind: JobKind = .video, tenant: Int64 = 1, export: Int = 0, key: String? = nil, priority: Int = 0,
        weight: Double = 1, age: Double = 0
    ) -> DispatchCandidate {
        DispatchCandidate(
            job: job, kind: kind, tenant: tenant, export: exports[export], exportNumber: Int64(export + 1), ordinal: Int(job),
            key: .named(key ?? "\(job)"), pool: "default", priority: priority, weight: weight, readySince: now - age,
            excludedWorkers: [])
    }

    private func choose(
        _ candidates: [DispatchCandidate], loads: [Int64: TenantLoad] = [:], exportLoads: [ExportID: Double] = [:],
        room: Int = 100
    ) -> [DispatchCandidate] {
        DispatchPolicy.choose(candidates, loads: loads, exportLoads: exportLoads, room: slots(room), at: now)
    }

    /// Room for `count` jobs of any role in `pools`.
    private func slots(_ count: Int, roles: [WorkerRole] = WorkerRole.allCases, pools: [String] = ["default"]) -> DispatchRoom {
        let workers = (0..<count).map { number in
            WorkerStatus(
                id: "w\(number)", host: "h", version: "1", roles: roles, pools: pools, slots: 1, startedAt: now, seenAt: now,
                isDraining: false, running: [])
        }
        // The jobs that a large farm is sent ahead are in flight already.
        return DispatchRoom(workers, inFlight: count < 5 ? [:] : [JobLane(.stitch, pool: pools[0]): LaneLoad(jobs: count / 4)])
    }

    @Test("Without candidates or without room, no job is chosen")
    func empty() {
        #expect(choose([]).isEmpty)
        #expect(choose([candidate(1)], room: 0).isEmpty)
    }

    @Test("As many jobs are chosen as there is room for", arguments: [1, 3, 9, 10, 11])
    func room(room: Int) {
        let chosen = choose((1...10).map { candidate($0) }, room: room)
        #expect(chosen.count == min(room, 10))
        #expect(Set(chosen.map(\.job)).count == chosen.count)
    }

    @Test("Within an export the longest job goes first")
    func longest() {
        let jobs = [(1, 1.0), (2, 5), (3, 2), (4, 5)].map { candidate($0, weight: $1) }
        #expect(choose(jobs).map(\.job) == [2, 4, 3, 1])
    }

    @Test("Within an export jobs of the same length go in the order of the film")
    func ordinals() {
        #expect(choose((1...5).reversed().map { candidate($0) }).map(\.job) == [1, 2, 3, 4, 5])
    }

    @Test("A pool gets no more jobs than it has room for, and a pool without workers takes no room")
    func pools() {
        var jobs = (1...6).map { candidate($0, export: Int($0) % 4, priority: $0 <= 4 ? 10 : 0) }
        for index in 0..<4 { jobs[index].pool = index < 2 ? "gpu" : "nobody" }
        let workers = [["gpu"], ["default"], ["default"]].map { pools in
            WorkerStatus(
                id: pools[0], host: "h", version: "1", roles: [.video], pools: pools, slots: 1, startedAt: now, seenAt: now,
                isDraining: false, running: [])
        }
        let chosen = DispatchPolicy.choose(
            jobs, loads: [:], exportLoads: [:], room: DispatchRoom(workers, inFlight: [:]), at: now)
        #expect(chosen.count == 3 && chosen.count { $0.pool == "gpu" } == 1 && chosen.count { $0.pool == "default" } == 2)
    }

    @Test("An urgent export's pictures go before the sound of others, because roles share the slots")
    func roles() {
        let jobs = (1...8).map { candidate($0, kind: .audio, export: 0) } + [candidate(9, export: 1, priority: 1)]
        #expect(choose(jobs, room: 1).map(\.job) == [9])
        let soundOnly = DispatchPolicy.choose(
            jobs, loads: [:], exportLoads: [:], room: slots(1, roles: [.audio]), at: now)
        #expect(soundOnly.map(\.job) == [1], "a slot that renders no pictures takes sound")
    }

    @Test("A stitch goes before all; in an export a picture goes first, then its sound, then its other pictures")
    func stages() {
        let jobs = [
            candidate(1, weight: 9), candidate(2, kind: .audio), candidate(3, kind: .soundtrack, weight: 2),
            candidate(4, kind: .stitch, export: 1), candidate(5, weight: 8),
        ]
        #expect(choose(jobs).map(\.job) == [4, 1, 3, 2, 5])
    }

    @Test("Long soundtracks and stitches do not take the last slot, but segments of any cost do")
    func longJobs() {
        let sounds = (1...4).map { candidate($0, kind: .soundtrack, export: Int($0) - 1, priority: 9, weight: 400) }
        let stitches = (5...6).map { candidate($0, kind: .stitch, export: Int($0) - 5, priority: 9, weight: 100) }
        let small = (7...8).map { candidate($0, kind: .soundtrack, tenant: 2, export: Int($0) - 5) }
        #expect(choose(sounds + stitches, room: 2).map(\.job) == [5], "the second slot stays free")
        #expect(choose(sounds + stitches + small, room: 2).map(\.job) == [5, 7])
        #expect(choose((1...4).map { candidate($0, weight: 400) }, room: 2).count == 2)
    }

    @Test("The candidate with the highest priority goes before all others")
    func priority() {
        let loads = [Int64(1): TenantLoad(share: 1, inFlight: 0), 2: TenantLoad(share: 1, inFlight: 1000)]
        let chosen = choose(
            [candidate(1, kind: .probe), candidate(2, tenant: 2, export: 1, priority: 1), candidate(3, priority: -1)],
            loads: loads)
        #expect(chosen.map(\.job) == [2, 1, 3])
    }

    @Test("A probe goes before rendering, because a whole export waits for it")
    func probes() {
        let chosen = choose([candidate(1), candidate(2), candidate(3, kind: .probe, export: 1)])
        #expect(chosen.first?.job == 3)
    }

    @Test("Only one of several jobs for one artifact is chosen, but another tenant's artifact is a different one")
    func sameArtifact() {
        let chosen = choose([
            candidate(1, key: "sea"), candidate(2, export: 1, key: "sea"), candidate(3, tenant: 2, export: 2, key: "sea"),
            candidate(4, key: "hills"),
        ])
        #expect(Set(chosen.map(\.job)) == [1, 3, 4])
    }

    @Test("Tenants of weight 1 and 3 get a quarter and three quarters of a long queue")
    func shares() {
        let first = (1...400).map { candidate($0, tenant: 1, export: 0) }
        let second = (401...800).map { candidate($0, tenant: 2, export: 1) }
        let loads = [Int64(1): TenantLoad(share: 1, inFlight: 0), 2: TenantLoad(share: 3, inFlight: 0)]
        for room in [4, 40, 200] {
            let chosen = choose(first + second, loads: loads, room: room)
            #expect(chosen.count { $0.tenant == 1 } == room / 4)
            #expect(chosen.count { $0.tenant == 2 } == room * 3 / 4)
        }
    }

    @Test("Shares are counted in predicted cost, not in jobs")
    func costs() {
        let heavy = (1...100).map { candidate($0, tenant: 1, export: 0, weight: 10) }
        let light = (101...300).map { candidate($0, tenant: 2, export: 1, weight: 1) }
        let chosen = choose(heavy + light, room: 110)
        #expect(chosen.count { $0.tenant == 1 } == 10)
    }

    @Test("A tenant's jobs in flight count against its share")
    func inFlight() {
        let loads = [Int64(1): TenantLoad(share: 1, inFlight: 5), 2: TenantLoad(share: 1, inFlight: 0)]
        let jobs = (1...10).map { candidate($0, tenant: 1) } + (11...20).map { candidate($0, tenant: 2, export: 1) }
        #expect(choose(jobs, loads: loads, room: 5).allSatisfy { $0.tenant == 2 })
        #expect(choose(jobs, loads: loads, room: 15).count { $0.tenant == 2 } == 10)
    }

    @Test("The exports of one tenant take turns, and the one with the least in flight goes first")
    func turns() {
        let jobs = (0..<3).flatMap { export in
            (0..<5).map { candidate(Int64(export * 5 + $0 + 1), export: export) }
        }
        #expect(choose(jobs, room: 9).map(\.exportNumber) == [1, 2, 3, 1, 2, 3, 1, 2, 3])
        let behind = choose(jobs, exportLoads: [exports[0]: 2, exports[1]: 0, exports[2]: 2], room: 2)
        #expect(behind.map(\.exportNumber) == [2, 2])
    }

    @Test("A minute of waiting raises the priority by one")
    func age() {
        #expect(choose([candidate(1), candidate(2, priority: -1, age: 119)], room: 1).map(\.job) == [1])
        #expect(choose([candidate(1), candidate(2, priority: -1, age: 120)], room: 1).map(\.job) == [2])
        #expect(
            choose([candidate(1, age: -500), candidate(2, priority: -1)], room: 1).map(\.job) == [1], "a clock that runs ahead")
    }

    @Test("A job of priority 0 is chosen within minutes, despite an endless stream of priority 5")
    func noStarvation() {
        let patient = candidate(1)
        for minute in 0... {
            let time = now + Double(minute) * 60
            let stream = (Int64(2)...20).map { job in
                var new = candidate(job, export: 1, priority: 5)
                new.readySince = time
                return new
            }
            let chosen = DispatchPolicy.choose(stream + [patient], loads: [:], exportLoads: [:], room: slots(1), at: time)
            if chosen.first?.job == 1 {
                #expect((5...6).contains(minute))
                return
            }
            guard minute <= 10 else {
                Issue.record("it starved")
                return
            }
        }
    }

    @Test("An unknown tenant has a share of 1 and nothing in flight")
    func unknownTenant() {
        let jobs = (1...10).map { candidate($0, tenant: 1) } + (11...20).map { candidate($0, tenant: 2, export: 1) }
        let chosen = choose(jobs, loads: [1: TenantLoad(share: 1, inFlight: 0)], room: 10)
        #expect(chosen.count { $0.tenant == 1 } == 5)
    }
}
