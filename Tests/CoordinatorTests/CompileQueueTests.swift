import FarmAPI
import Coordinator
import Testing

@Suite("Exports that wait to be compiled")
struct CompileQueueTests {
    @Test("Tenants take turns, and each tenant's exports go in the order of the store")
    func turns() {
        var queue = CompileQueue(limit: 99, limitPerTenant: 9, batchSize: 1)
        let (first, second) = ((0..<3).map { _ in export(of: 1) }, (0..<2).map { _ in export(of: 2) })
        queue.add(first + second)
        var order: [ExportID] = []
        while let next = queue.next().first { order.append(next.id) }
        #expect(order == [first[0], second[0], first[1], second[1], first[2]].map(\.id))
        #expect(queue.batchCount == 5)
    }

    @Test("Exports are taken in batches of one tenant")
    func batches() {
        var queue = CompileQueue(limit: 99, limitPerTenant: 9, batchSize: 2)
        let (first, second) = ((0..<3).map { _ in export(of: 1) }, [export(of: 2)])
        queue.add(first + second)
        #expect(queue.next() == Array(first.prefix(2)))
        #expect(queue.next() == second)
        #expect(queue.next() == [first[2]])
        #expect(queue.next().isEmpty && queue.batchCount == 3)
    }

    @Test("A batch has exports of one priority, and one whose compiling did not end goes alone")
    func separate() {
        var queue = CompileQueue(limit: 99, limitPerTenant: 9, batchSize: 9)
        let urgent = [export(of: 1, priority: 5), export(of: 1, priority: 5)]
        let begun = [export(of: 1, attempts: 1), export(of: 1, attempts: 2)]
        let others = [export(of: 1), export(of: 1)]
        queue.add(urgent + [others[0]] + begun + [others[1]])
        #expect(queue.next() == urgent)
        #expect(queue.next() == [others[0]])
        #expect(queue.next() == [begun[0]])
        #expect(queue.next() == [begun[1]])
        #expect(queue.next() == [others[1]])
    }

    @Test("A tenant has no more batches compiled at a time than its limit")
    func limit() {
        var queue = CompileQueue(limit: 99, limitPerTenant: 2, batchSize: 2)
        queue.add((0..<5).map { _ in export(of: 7) })
        let taken = (queue.next(), queue.next())
        #expect(taken.0.count == 2 && taken.1.count == 2 && queue.next().isEmpty)
        let other = export(of: 8)
        queue.add([other])
        #expect(queue.next() == [other])
        queue.ended(taken.0)
        #expect(queue.next().count == 1)
    }

    @Test("The urgent export of the highest priority is taken first, and one batch of them beyond the limits")
    func urgent() {
        var queue = CompileQueue(limit: 2, limitPerTenant: 1, batchSize: 2)
        queue.add((0..<3).map { _ in export(of: 7) } + (0..<3).map { _ in export(of: 8) })
        let first = (queue.next(), queue.next())
        #expect(first.0.count == 2 && first.1.count == 2 && queue.isFull && queue.next().isEmpty)
        let urgent = [export(of: 8, priority: 100, isUrgent: true), export(of: 7, priority: 60, isUrgent: true)]
        queue.clear()
        queue.add([urgent[0], export(of: 8), urgent[1], export(of: 7)])
        #expect(queue.next() == [urgent[0]])
        #expect(queue.next().isEmpty, "one batch is beyond the limits already")
        queue.ended([urgent[0]])
        #expect(queue.next() == [urgent[1]])
        queue.ended([urgent[1]])
        #expect(queue.next().isEmpty)
        queue.ended(first.0)
        #expect(queue.next().map(\.tenant) == [7])
    }

    @Test("An export that is being compiled or is stuck is not taken again, although the store names it once more")
    func excluded() {
        var queue = CompileQueue(limit: 99, limitPerTenant: 1, batchSize: 1)
        let (stuck, good) = (export(of: 1), export(of: 1))
        queue.add([stuck, good])
        #expect(queue.next() == [stuck])
        queue.clear()
        queue.add([stuck, good])
        queue.ended([stuck], stuck: [stuck.id])
        #expect(queue.excluded == [stuck.id])
        queue.add([stuck])
        #expect(queue.next() == [good] && queue.next().isEmpty)
        #expect(queue.knownTenants.isEmpty)
    }

    @Test("An export that was read while it was compiled is forgotten when it ends")
    func endedMeanwhile() {
        var queue = CompileQueue(limit: 99, limitPerTenant: 1, batchSize: 1)
        let one = export(of: 1)
        queue.add([one])
        #expect(queue.next() == [one])
        queue.clear()
        queue.ended([one])
        #expect(queue.next().isEmpty && queue.batchCount == 0)
        // Its probes are done now, so the store names it again.
        queue.add([one])
        #expect(queue.next() == [one])
    }

    private func export(
        of tenant: Int64, priority: Int = 0, isUrgent: Bool = false, attempts: Int = 0
    ) -> ExportToCompile {
        ExportToCompile(
            id: ExportID(), tenant: tenant, state: .submitted, priority: priority, isUrgent: isUrgent, attempts: attempts)
    }
}
