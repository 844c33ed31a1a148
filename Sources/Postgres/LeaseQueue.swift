/// Who may use what, of a fixed number of things that are made when first needed: the pool's book-keeping, as a plain value.
///
/// A lease is the right to one of the things, and may come with one that is there already. Waiters are served in the order
/// of their arrival, and nobody overtakes them.
package struct LeaseQueue<Thing, Waiter> {
    package enum Answer {
        /// The lease is granted; without a thing, its holder makes one.
        case granted(Thing?)
        case waiting
        case closed
    }

    package let limit: Int
    package private(set) var leased = 0
    package private(set) var isClosed = false
    private var idle: [Thing] = []
    private var waiters: [(ticket: Int, waiter: Waiter)] = []

    package init(limit: Int) {
        precondition(limit > 0, "a pool without connections serves nobody")
        self.limit = limit
    }

    /// Asks for a lease.
    /// - Parameters:
    ///   - ticket: names the waiter, should it have to wait.
    ///   - waiter: kept only when the answer is `waiting`.
    package mutating func ask(ticket: Int, _ waiter: Waiter) -> Answer {
        if isClosed { return .closed }
        guard leased < limit else {
            waiters.append((ticket, waiter))
            return .waiting
        }
        leased += 1
        // The one used last: the others may become superfluous.
        return .granted(idle.popLast())
    }

    /// A waiter that no longer wants to; nil when it has been served.
    package mutating func leave(ticket: Int) -> Waiter? {
        guard let place = waiters.firstIndex(where: { $0.ticket == ticket }) else { return nil }
        return waiters.remove(at: place).waiter
    }

    /// Ends a lease.
    /// - Parameter thing: what can be used again; nil when it broke.
    /// - Returns: the waiter that the lease passes to, with the thing; or else, once closed, the thing to be disposed of.
    package mutating func giveBack(_ thing: Thing?) -> (next: Waiter?, superfluous: Thing?) {
        if !waiters.isEmpty { return (waiters.removeFirst().waiter, nil) }
        leased -= 1
        if isClosed { return (nil, thing) }
        if let thing { idle.append(thing) }
        return (nil, nil)
    }

    /// Grants no more leases.
    /// - Returns: those who waited, and the things that nobody uses.
    package mutating func close() -> (waiters: [Waiter], idle: [Thing]) {
        isClosed = true
        defer { (waiters, idle) = ([], []) }
        return (waiters.map(\.waiter), idle)
    }

    /// Whether the last lease has ended for good.
    package var isDrained: Bool { isClosed && leased == 0 }
    package var waiting: Int { waiters.count }
}
