/// Tasks of an actor that wait until something has changed.
struct Waiters {
    private var waiting: [CheckedContinuation<Void, Never>] = []

    mutating func add(_ waiter: CheckedContinuation<Void, Never>) { waiting.append(waiter) }

    /// Wakes all, which then look for themselves whether they have to wait on.
    mutating func wakeAll() {
        let waiters = waiting
        waiting = []
        for waiter in waiters { waiter.resume() }
    }
}
