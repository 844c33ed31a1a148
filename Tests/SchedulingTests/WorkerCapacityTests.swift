import ExportPlan
import FarmAPI
import TestSupport
import Testing

@Suite("A worker's capacity")
struct WorkerCapacityTests {
    private static let gigabyte: Int64 = 1 << 30

    @Test(
        "A job takes as many slots as its memory does, and all of them where it exceeds the worker",
        arguments: [(0, 1), (512, 1), (1024, 1), (1025, 2), (2048, 2), (3072, 4), (6000, 7), (8192, 8), (65_536, 8)])
    func memory(megabytes: Int, width: Int) {
        let worker = WorkerCapacity(slots: 8, memory: 8 * Self.gigabyte)
        #expect(worker.width(of: JobDemand(memory: Int64(megabytes) << 20)) == width)
    }

    @Test("A job alone on its machine takes all slots of any worker")
    func alone() {
        for worker in [
            WorkerCapacity(slots: 8, memory: 8 * Self.gigabyte, processors: 8), WorkerCapacity(slots: 8),
            WorkerCapacity(slots: 1),
        ] {
            #expect(worker.width(of: .wholeMachine) == worker.slots)
        }
    }

    @Test("A worker that says nothing, or nonsense, takes every other job for one slot", arguments: [nil, 0, -1] as [Int64?])
    func unknown(memory: Int64?) {
        for processors in [nil, 0, -4, .nan, .infinity] as [Double?] {
            let worker = WorkerCapacity(slots: 8, memory: memory, processors: processors)
            #expect(worker.width(of: JobDemand(memory: 100 * Self.gigabyte)) == 1)
        }
        #expect(WorkerCapacity(slots: 0, memory: 1).width(of: JobDemand(memory: 1 << 40)) == 1)
        #expect(WorkerCapacity(slots: 4000, memory: 1).width(of: JobDemand(memory: 1 << 50)) == 4000)
    }

    @Test(
        "Busy threads are rounded to whole slots, and a slot is one processor at least",
        arguments: [
            (8, 8, 1, 1), (8, 8, 1.25, 1), (8, 8, 1.5, 2), (8, 8, 4, 4), (8, 8, 16, 8), (8, 4, 1, 1), (8, 4, 2, 2), (4, 8, 2, 1),
            (4, 8, 3, 2), (4, 8, 8, 4),
        ] as [(Int, Double, Double, Int)])
    func processors(slots: Int, processors: Double, busy: Double, width: Int) {
        let worker = WorkerCapacity(slots: slots, processors: processors)
        #expect(worker.width(of: JobDemand(processors: busy)) == width)
    }

    @Test("Jobs whose widths fit into the slots fit into memory, unless one alone does not")
    func promise() {
        var numbers = RandomNumbers(seed: 6)
        for _ in 0..<3000 {
            let memory = Int64.random(in: 1 << 28...1 << 37, using: &numbers)
            let worker = WorkerCapacity(slots: Int.random(in: 1...64, using: &numbers), memory: memory)
            var (free, taken) = (worker.slots, Int64(0))
            var count = 0
            while free > 0 {
                let demand = JobDemand(memory: Int64.random(in: 1 << 25...memory, using: &numbers))
                guard worker.width(of: demand) <= free else { break }
                free -= worker.width(of: demand)
                taken += demand.memory
                count += 1
            }
            #expect(taken <= memory || count == 1, "\(taken) bytes of \(count) jobs on \(worker)")
        }
    }
}
