import FarmAPI
import Coordinator
import Testing

@Suite("Exports that wait to be compiled")
struct CompileQueueTests {
    @Test("Tenants take turns, and each tenant's exports go in the order of the store")
    func turns() {
        var queue = CompileQueue(limitPerTenant: 9)
        let (first, second) = ((0..<3).map { _ in export(of: 1) }, (0..<2).map { _ in export(of: 2) })
        queue.add(first + second)
        var order: [ExportID] = []
        while let next = queue.next() { order.append(next.id) }
        #expect(order == [first[0], second[0], first[1], second[1], first[2]].map(\.id))
        #expect(queue.served == [2, 1] && queue.compilingCount == 5)
    }

    @Test("A tenant has no more exports compiled at a time than its limit")
    func limit() {
        var queue = CompileQueue(limitPerTenant: 2)
        queue.add((0..<3).map { _ in export(of: 7) })
        let taken = (queue.next(), queue.next())
        #expect(taken.0 != nil && taken.1 != nil && queue.next() == nil)
        let other = export(of: 8)
        queue.add([other])
        #expect(queue.next() == other)
        if let done = taken.0 { queue.ended(done, isStuck: false) }
        #expect(queue.next() != nil)
    }

    @Test("An export that is being compiled or is stuck is not taken again, although the store names it once more")
    func excluded() {
        var queue = CompileQueue(limitPerTenant: 1)
        let (stuck, good) = (export(of: 1), export(of: 1))
        queue.add([stuck, good])
        #expect(queue.next() == stuck)
        queue.clear()
        queue.add([stuck, good])
        queue.ended(stuck, isStuck: true)
        #expect(queue.excluded == [stuck.id])
        queue.add([stuck])
        #expect(queue.next() == good && queue.next() == nil)
        #expect(queue.knownTenants.isEmpty)
    }

    @Test("An export that was read while it was compiled is forgotten when it ends")
    func endedMeanwhile() {
        var queue = CompileQueue(limitPerTenant: 1)
        let one = export(of: 1)
        queue.add([one])
        #expect(queue.next() == one)
        queue.clear()
        queue.ended(one, isStuck: false)
        #expect(queue.next() == nil && queue.compilingCount == 0)
        // Its probes are done now, so the store names it again.
        queue.add([one])
        #expect(queue.next() == one)
    }

    private func export(of tenant: Int64) -> ExportToCompile {
        ExportToCompile(id: ExportID(), tenant: tenant, state: .submitted)
    }
}
