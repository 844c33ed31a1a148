/// Decides who may use which of a fixed number of things, which are made when they are first needed. It is the pool's
/// book-keeping, as a plain value.
///
/// A lease is the right to one of the things, and may come with an idle thing. Waiters are served in the order of their
/// arrival, and nothing overtakes them.
package struct LeaseQueue<Thing, Waiter> {
    package enum Answer {
        /// The lease is granted. Where no thing comes with it, its holder makes one.
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
        precondition(limit > 0, "a pool needs at least one connection")
        self.limit = limit
    }

    /// Asks for a lease.
    /// - Parameters:
    ///   - ticket: identifies the waiter, in case it has to wait.
    ///   - waiter: kept only when the answer is `waiting`.
    package mutating func ask(ticket: Int, _ waiter: Waiter) -> Answer {
        if isClosed { return .closed }
        guard leased < limit else {
            waiters.append((ticket, waiter))
            return .waiting
        }
        leased += 1
        // The thing that was used last is taken, because the others may become superfluous.
        return .granted(idle.popLast())
    }

    /// Removes a waiter that no longer waits, and returns it; nil when it has been served.
    package mutating func leave(ticket: Int) -> Waiter? {
        guard let place = waiters.firstIndex(where: { $0.ticket == ticket }) else { return nil }
        return waiters.remove(at: place).waiter
    }

    /// Ends a lease.
    /// - Parameter thing: a thing that can be used again; nil when it broke.
    /// - Returns: the waiter that the lease passes to, with the thing; or, once the queue is closed, the thing to be
    ///   disposed of.
    package mutating func giveBack(_ thing: Thing?) -> (next: Waiter?, superfluous: Thing?) {
        if !waiters.isEmpty { return (waiters.removeFirst().waiter, nil) }
        leased -= 1
        if isClosed { return (nil, thing) }
        if let thing { idle.append(thing) }
        return (nil, nil)
    }

    /// Grants no more leases.
    /// - Returns: the waiters, and the things that are not in use.
    package mutating func close() -> (waiters: [Waiter], idle: [Thing]) {
        isClosed = true
        defer { (waiters, idle) = ([], []) }
        return (waiters.map(\.waiter), idle)
    }

    /// Whether the last lease has ended for good.
    package var isDrained: Bool { isClosed && leased == 0 }
    package var waiting: Int { waiters.count }
}
