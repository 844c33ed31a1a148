import Postgres
import Testing

@Suite("The pool's book-keeping")
struct LeaseQueueTests {
    /// Letters stand for things, numbers for waiters.
    private typealias Queue = LeaseQueue<String, Int>

    /// The granted thing, or "new" where one is to be made; nil for a waiter.
    private func ask(_ queue: inout Queue, _ ticket: Int) -> String? {
        if case .granted(let thing) = queue.ask(ticket: ticket, ticket) { thing ?? "new" } else { nil }
    }

    @Test("no more leases are granted than the limit, and returned things are lent again")
    func limit() {
        var queue = Queue(limit: 2)
        #expect(ask(&queue, 1) == "new")
        #expect(ask(&queue, 2) == "new")
        #expect(ask(&queue, 3) == nil)
        #expect(queue.giveBack("a").next == 3)
        #expect(queue.giveBack("b").next == nil)
        #expect(queue.giveBack(nil).next == nil)
        #expect(queue.leased == 0)
        #expect(ask(&queue, 4) == "b")
        #expect(ask(&queue, 5) == "new")
    }

    @Test("waiters are served in the order of their arrival, without those who left")
    func order() {
        var queue = Queue(limit: 1)
        #expect(ask(&queue, 0) == "new")
        for ticket in 1...4 { #expect(ask(&queue, ticket) == nil) }
        #expect(queue.leave(ticket: 2) == 2)
        #expect(queue.leave(ticket: 2) == nil)
        #expect((0..<4).map { _ in queue.giveBack("a").next } == [1, 3, 4, nil])
        #expect(queue.leave(ticket: 1) == nil)
    }

    @Test("after closing nothing is granted, and a returned thing is superfluous")
    func end() {
        var queue = Queue(limit: 3)
        for ticket in 1...4 { _ = ask(&queue, ticket) }
        _ = queue.leave(ticket: 4)
        _ = queue.giveBack("a")
        for ticket in [5, 6] { _ = ask(&queue, ticket) }
        let (waiters, idle) = queue.close()
        #expect(waiters == [6])
        #expect(idle.isEmpty)
        if case .closed = queue.ask(ticket: 7, 7) {} else { Issue.record("a closed queue grants nothing") }
        #expect(queue.giveBack("b").superfluous == "b")
        #expect(queue.giveBack(nil).superfluous == nil)
        #expect(!queue.isDrained)
        #expect(queue.giveBack("c").superfluous == "c")
        #expect(queue.isDrained)
    }
}
