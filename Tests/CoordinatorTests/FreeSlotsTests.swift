import FarmAPI
import Coordinator
import ExportPlan
import JobQueue
import Testing
import FoundationEssentials

@Suite("Free slots for jobs with excluded workers")
struct FreeSlotsTests {
    private func worker(_ id: String, _ roles: [WorkerRole] = [.video], slots: Int = 1, paused: Bool = false) -> WorkerStatus {
        WorkerStatus(
            id: id, host: "h", version: "1", roles: roles, pools: ["default"], slots: slots, startedAt: Date(), seenAt: Date(),
            isDraining: false, pausedFor: paused ? "its store is away" : nil, running: [])
    }

    private func candidate(besides excluded: [String]) -> DispatchCandidate {
        DispatchCandidate(
            job: 1, kind: .video, tenant: 1, export: ExportID(), exportNumber: 1, ordinal: 0, key: .named("a"), pool: "default",
            priority: 0, weight: 1, readySince: Date(), excludedWorkers: excluded)
    }

    @Test("Each of two jobs that exclude one of two workers goes to the other worker")
    func swapped() {
        var slots = FreeSlots([worker("w1"), worker("w2")], running: [:])
        #expect(slots.take(for: candidate(besides: ["w1"])) == "w2")
        #expect(slots.take(for: candidate(besides: ["w2"])) == "w1")
        #expect(slots.take(for: candidate(besides: ["w2"])) == nil, "its slot is taken")
    }

    @Test("The worker with the most free slots is chosen, and none that is full, paused or of another role")
    func free() {
        let workers = [
            worker("w1", slots: 3), worker("w2", slots: 2), worker("w3", [.audio], slots: 9),
            worker("w4", slots: 9, paused: true),
        ]
        var slots = FreeSlots(workers, running: ["w1": 2])
        #expect(slots.take(for: candidate(besides: ["w5"])) == "w2")
        #expect(slots.take(for: candidate(besides: ["w2"])) == "w1")
        #expect(slots.take(for: candidate(besides: ["w2"])) == nil)
        #expect(slots.take(for: candidate(besides: ["w5"])) == "w2")
        #expect(slots.take(for: candidate(besides: ["w5"])) == nil)
    }
}
