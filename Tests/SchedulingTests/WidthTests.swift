import ExportPlan
import FarmAPI
import Scheduling
import Testing
import FoundationEssentials

/// Jobs that take several slots. A worker of these tests has 1 GiB for each of its slots.
@Suite("Wide jobs")
struct WidthTests {
    private static let gigabyte: Int64 = 1 << 30

    /// A demand that takes so many slots: a little less than their memory, because demands are rounded up.
    private func slots(_ count: Int64) -> JobDemand { JobDemand(memory: (count << 30) - (count << 26)) }

    private func farm(_ workers: [(String, Int)]) -> SmallFarm {
        var farm = SmallFarm()
        for (id, slots) in workers { farm.worker(id, slots: slots, memory: Int64(slots) * Self.gigabyte) }
        farm.export(1)
        return farm
    }

    @Test("A job of one slot at every worker of its lane goes to the lane, any other to a worker by name")
    func narrow() {
        var farm = farm([("w1", 4), ("w2", 4)])
        farm.job(1, of: 1, needing: slots(1))
        farm.job(2, of: 1, needing: slots(2))
        farm.dispatch()
        #expect(farm.sent.map(\.job) == [1, 2] && farm.sent.map(\.worker) == [nil, "w1"])
        // A worker with small slots makes the first size wide, too, and the others' slots take it better.
        farm.worker("small", slots: 4, memory: 2 * Self.gigabyte)
        farm.job(3, of: 1, needing: slots(1))
        farm.dispatch()
        #expect(farm.sent.last?.worker == "w2", "one slot there, and four are free")
    }

    @Test("A worker that says nothing of its memory takes every job for one slot, except one that has to be alone")
    func unknown() {
        var farm = SmallFarm(slots: 4)
        farm.export(1)
        farm.job(1, of: 1, needing: slots(64))
        farm.job(2, of: 1, needing: .wholeMachine)
        #expect(farm.dispatch() == [1, 2])
        #expect(farm.sent.map(\.worker) == [nil, "w1"])
    }

    @Test("A wide job goes where it fits now, else where it takes the fewest slots and the fewest wide jobs are")
    func choice() {
        var farm = farm([("w1", 8), ("w2", 8)])
        farm.worker("w3", slots: 8, memory: 16 * Self.gigabyte)
        farm.job(1, of: 1, needing: slots(8))
        farm.job(2, of: 1, needing: slots(8))
        farm.dispatch()
        // At w3 it takes four of eight slots, twice.
        #expect(farm.sent.map(\.worker) == ["w3", "w3"])
        farm.job(3, of: 1, needing: slots(4))
        farm.job(4, of: 1, needing: slots(4))
        farm.job(5, of: 1, needing: slots(2))
        farm.dispatch()
        #expect(farm.sent.suffix(3).map(\.worker) == ["w1", "w2", "w1"], "the most free slots, then the lower name")
    }

    @Test("Jobs in flight are counted by their widths")
    func room() {
        var farm = farm([("w1", 4)])
        farm.job(1, of: 1, needing: slots(3))
        for job in 2...6 as ClosedRange<Int64> { farm.job(job, of: 1) }
        #expect(farm.dispatch() == [1, 2], "three slots and one")
        farm.end(1)
        #expect(farm.dispatch() == [3, 4, 5])
        farm.handle(.started(3, worker: "w1"))
        farm.end(2)
        #expect(farm.dispatch() == [6])
    }

    @Test("A job that begins at another worker than it was sent to counts with its width there")
    func otherWorker() {
        var farm = farm([("w1", 4)])
        farm.worker("w2", slots: 2, memory: 8 * Self.gigabyte)
        farm.job(1, of: 1, needing: slots(4))
        for job in 2...9 as ClosedRange<Int64> { farm.job(job, of: 1) }
        #expect(farm.dispatch() == [1, 2, 3, 4, 5, 6, 7], "six slots and one more; the wide job takes one of the two at w2")
        #expect(farm.sent.first?.worker == "w2")
        farm.handle(.started(1, worker: "w1"))
        for job in 2...4 as ClosedRange<Int64> { farm.end(job) }
        #expect(farm.dispatch().isEmpty, "four slots and three")
        farm.end(5)
        #expect(farm.dispatch() == [8])
    }

    @Test("A wide job is not passed by for ever by narrow ones: with one slot of room it is sent, and nothing after it")
    func starvation() {
        var farm = farm([("w1", 4)])
        for job in 1...4 as ClosedRange<Int64> { farm.job(job, of: 1) }
        farm.dispatch()
        for job in 1...4 as ClosedRange<Int64> { farm.handle(.started(job, worker: "w1")) }
        farm.job(5, of: 1, .video, 9, needing: slots(4))
        for job in 6...9 as ClosedRange<Int64> { farm.job(job, of: 1) }
        #expect(farm.dispatch().isEmpty)
        farm.end(1)
        #expect(farm.dispatch() == [5], "the longest goes first, and the worker waits until it has four free slots")
        for job in 2...4 as ClosedRange<Int64> {
            farm.end(job)
            #expect(farm.dispatch().isEmpty)
        }
        farm.end(5)
        #expect(farm.dispatch() == [6, 7, 8, 9])
    }

    @Test("Wide jobs are not sent ahead of others at the same worker, also on a large farm")
    func notAhead() {
        var farm = farm([("w1", 8), ("w2", 8)])
        for job in 1...3 as ClosedRange<Int64> { farm.job(job, of: 1, needing: slots(8)) }
        #expect(farm.dispatch() == [1, 2], "room for twenty slots does not help: nobody could do a third")
        farm.end(2)
        #expect(farm.dispatch() == [3] && farm.sent.last?.worker == "w2", "the worker that is free first gets it")
    }

    @Test("A wide job is not passed by for ever by less wide ones: a worker is kept free of them until it has begun")
    func wideStarvation() {
        var farm = farm([("w1", 8), ("w2", 8)])
        for job in 1...8 as ClosedRange<Int64> { farm.job(job, of: 1, needing: slots(2)) }
        #expect(farm.dispatch().count == 8)
        farm.job(100, of: 1, .video, 9, needing: slots(8), at: 10)
        for job in 11...40 as ClosedRange<Int64> { farm.job(job, of: 1, needing: slots(2)) }
        #expect(farm.dispatch().isEmpty, "no later job fits, so nothing passes it")
        farm.end(1)
        #expect(farm.dispatch() == [100] && farm.sent.last?.worker == "w1")
        farm.handle(.started(100, worker: "w1"))
        for job in [3, 5, 7] as [Int64] { farm.end(job) }
        #expect(farm.sent.filter { $0.worker == "w1" && $0.job > 10 }.map(\.job) == [100], "nothing else begins there")
        farm.end(2)
        farm.dispatch()
        #expect(farm.sent.last?.worker == "w2", "other workers go on")
    }

    @Test("A job that exceeds every worker still runs, alone")
    func largerThanAll() {
        var farm = farm([("w1", 2), ("w2", 4)])
        farm.job(1, of: 1, needing: slots(100))
        #expect(farm.dispatch() == [1] && farm.sent.last?.worker == "w1", "the fewest slots of the farm")
        farm.job(2, of: 1, needing: slots(100))
        #expect(farm.dispatch() == [2] && farm.sent.last?.worker == "w2")
    }

    @Test("A tenant is charged for a wide job by its width, so that it gets slots and not jobs by its share")
    func shares() {
        var farm = farm([("w1", 8)])
        farm.export(2, tenant: 2)
        for job in 1...200 as ClosedRange<Int64> { farm.job(job, of: 1, needing: slots(4)) }
        for job in 1001...1400 as ClosedRange<Int64> { farm.job(job, of: 2) }
        farm.run(until: 60)
        let wide = farm.sent.count { $0.job < 1000 }
        let narrow = farm.sent.count { $0.job > 1000 }
        // Each second has eight slots, and two more are sent ahead: half of the slots are the narrow tenant's.
        #expect(abs(Double(narrow) - 4 * Double(wide)) < 0.1 * Double(narrow), "\(wide) wide and \(narrow) narrow")
    }

    @Test("A job whose excluded workers leave only one that is too small takes all slots there")
    func excluded() {
        var farm = farm([("w1", 8), ("w2", 2)])
        farm.job(1, of: 1, besides: ["w1"], needing: slots(4))
        farm.dispatch()
        #expect(farm.sent.map(\.worker) == ["w2"])
        farm.job(2, of: 1, besides: ["w1"], needing: slots(2))
        #expect(farm.dispatch().isEmpty, "both slots are taken")
        farm.end(1)
        #expect(farm.dispatch() == [2])
    }

    @Test("A worker that comes, goes or changes its memory takes part at once")
    func changes() {
        var farm = farm([("w1", 2)])
        farm.job(1, of: 1, needing: slots(2))
        farm.job(2, of: 1, needing: slots(2))
        #expect(farm.dispatch() == [1])
        farm.worker("w2", slots: 2, memory: 2 * Self.gigabyte)
        #expect(farm.dispatch() == [2] && farm.sent.last?.worker == "w2")
        farm.job(3, of: 1, needing: slots(2))
        farm.worker("w1", slots: 8, memory: 8 * Self.gigabyte)
        #expect(farm.dispatch() == [3] && farm.sent.last?.worker == "w1")
        farm.handle(.workerGone("w1"))
        farm.handle(.workerGone("w2"))
        for job in 1...3 as ClosedRange<Int64> { farm.end(job) }
        farm.job(4, of: 1, needing: slots(2))
        #expect(farm.dispatch().isEmpty)
        farm.worker("w3", slots: 1, memory: Self.gigabyte)
        #expect(farm.dispatch() == [4] && farm.sent.last?.worker == nil, "with one slot no job is wide")
    }

    @Test("What a wide job costs does not grow with the workers")
    func growth() {
        func steps(workers: Int) -> Double {
            var farm = SmallFarm()
            for number in 0..<workers { farm.worker("w\(number)", slots: 8, memory: 8 * Self.gigabyte) }
            farm.export(1)
            for job in 1...Int64(4 * workers + 500) { farm.job(job, of: 1, needing: slots(4)) }
            var inFlight = farm.dispatch()
            let before = farm.scheduler.steps
            for _ in 0..<400 {
                guard !inFlight.isEmpty else { break }
                farm.end(inFlight.removeFirst(), seconds: 1)
                inFlight += farm.dispatch()
            }
            return Double(farm.scheduler.steps - before) / 400
        }
        let (few, many) = (steps(workers: 20), steps(workers: 1000))
        print("steps for each wide job: \(few) with 20 workers, \(many) with 1 000")
        #expect(many < few * 3)
    }
}
