import BlockingWork
import Dispatch
import TestSupport
import Testing

@Suite("A pool of threads for long work")
struct BlockingPoolTests {
    private struct Fault: Error {}

    @Test("returns what the work returns, and throws what it throws")
    func results() async throws {
        let pool = BlockingPool(name: "test", threads: 2, waiting: 4, waitingPerLane: 4)
        #expect(try await pool.run(lane: 1) { 6 * 7 } == 42)
        await #expect(throws: Fault.self) { try await pool.run(lane: 1) { throw Fault() } }
    }

    @Test("leaves Swift's own threads to others while all its threads are busy")
    func others() async throws {
        let pool = BlockingPool(name: "test", threads: 4, waiting: 4, waitingPerLane: 4)
        let gate = DispatchSemaphore(value: 0)
        let busy = (0..<4).map { number in
            Task {
                try await pool.run(lane: 1) {
                    gate.wait(); return number
                }
            }
        }
        // This runs on Swift's threads. If the waiting work held them, it would never end.
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<100 { group.addTask { await Task.yield() } }
        }
        for _ in busy { gate.signal() }
        var numbers: [Int] = []
        for task in busy { numbers.append(try await task.value) }
        #expect(numbers == [0, 1, 2, 3])
    }

    @Test("keeps a thread for other lanes while one lane is full, and does all its work in the end")
    func oneLane() async throws {
        let pool = BlockingPool(name: "test", threads: 2, waiting: 20, waitingPerLane: 20)
        let gate = DispatchSemaphore(value: 0)
        let running = Task { try await pool.run(lane: 1) { gate.wait() } }
        while pool.begun < 1 { try await nextLook() }
        let waiting = (0..<10).map { number in Task { try await pool.run(lane: 1) { number } } }
        // If an item has begun, waiting is pointless: the test fails for it below.
        while pool.waiting < waiting.count, pool.begun == 1 { try await nextLook() }
        #expect(pool.begun == 1)
        for number in 0..<10 { #expect(try await pool.run(lane: 2) { number } == number) }
        #expect(pool.begun == 11)
        gate.signal()
        try await running.value
        for (number, task) in waiting.enumerated() { #expect(try await task.value == number) }
    }

    @Test("refuses work that does not fit its queue, and says whether the lane or the queue is full")
    func full() async throws {
        let pool = BlockingPool(name: "test", threads: 1, waiting: 3, waitingPerLane: 2)
        let gate = DispatchSemaphore(value: 0)
        let running = Task { try await pool.run(lane: 1) { gate.wait() } }
        while pool.begun < 1 { try await nextLook() }
        var waiting: [Task<Void, any Error>] = []
        for lane: Int64 in [1, 1, 2] {
            waiting.append(Task { try await pool.run(lane: lane) {} })
            while pool.waiting < waiting.count { try await nextLook() }
        }
        await #expect(throws: BlockingPool.Full(isLaneFull: true)) { try await pool.run(lane: 1) {} }
        await #expect(throws: BlockingPool.Full(isLaneFull: false)) { try await pool.run(lane: 2) {} }
        gate.signal()
        try await running.value
        for task in waiting { try await task.value }
        #expect(try await pool.run(lane: 1) { 1 } == 1)
    }
}

@Suite("A queue with lanes")
struct LaneQueueTests {
    @Test("lets lanes take turns, each in order of arrival")
    func turns() {
        var queue = LaneQueue<String>(limit: 10, laneLimit: 10)
        for (item, lane) in [("a1", 1), ("a2", 1), ("a3", 1), ("b1", 2), ("c1", 3), ("b2", 2)] as [(String, Int64)] {
            #expect(queue.add(item, lane: lane) == nil)
        }
        var order: [String] = []
        while let (item, _) = queue.next() { order.append(item) }
        #expect(order == ["a1", "b1", "c1", "a2", "b2", "a3"])
        #expect(queue.count == 0)
    }

    @Test("accepts as many items as its limits allow, and again when some have left")
    func limits() {
        var queue = LaneQueue<Int>(limit: 3, laneLimit: 2)
        #expect(queue.add(1, lane: 1) == nil)
        #expect(queue.add(2, lane: 1) == nil)
        #expect(queue.add(3, lane: 1) == .laneIsFull)
        #expect(queue.add(4, lane: 2) == nil)
        #expect(queue.add(5, lane: 3) == .queueIsFull)
        #expect(queue.next()?.item == 1)
        #expect(queue.add(6, lane: 1) == nil)
        #expect(queue.add(7, lane: 3) == .queueIsFull)
    }

    @Test("has only so many items of a lane under way, and serves other lanes meanwhile")
    func underWay() {
        var queue = LaneQueue<String>(limit: 10, laneLimit: 10, underWayPerLane: 1)
        for (item, lane) in [("a1", 1), ("a2", 1), ("b1", 2)] as [(String, Int64)] { _ = queue.add(item, lane: lane) }
        #expect(queue.next()?.item == "a1")
        #expect(queue.next()?.item == "b1")
        #expect(queue.next() == nil)
        #expect(queue.count == 1)
        queue.ended(lane: 2)
        #expect(queue.next() == nil)
        queue.ended(lane: 1)
        #expect(queue.next()?.item == "a2")
    }
}
