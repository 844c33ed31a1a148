package import FarmAPI

/// Which of a worker's slots are taken, as a pure state machine: deliveries come in, and jobs begin when there are slots
/// for them. `SlotSupervisor` performs what it says, and so does the simulated worker.
///
/// Jobs begin in the order in which their tickets came. Where the first one that waits is too wide for the slots that are
/// free, none behind it begins, and `free` is 0 so that no further tickets are taken. So a wide job waits for running jobs
/// only, and never for jobs that came later.
package struct SlotAllocation: Sendable {
    /// A delivery's place in the queue. The same attempt may be delivered twice.
    private struct Place: Hashable {
        var queue: String
        var entry: String

        init(_ delivery: JobDelivery) {
            queue = delivery.queue
            entry = delivery.entry
        }
    }

    package let capacity: WorkerCapacity
    /// Deliveries that wait for slots, in the order of their arrival.
    package private(set) var waiting: [JobDelivery] = []
    /// The widths of running jobs.
    private var running: [Place: Int] = [:]
    /// How many slots the running jobs take.
    package private(set) var taken = 0

    package init(_ capacity: WorkerCapacity) {
        self.capacity = capacity
    }

    /// How many slots are left for tickets that have yet to be taken.
    package var free: Int { max(0, capacity.slots - taken - waiting.width(at: capacity)) }

    /// Adds deliveries that wait for slots.
    package mutating func wait(_ deliveries: [JobDelivery]) { waiting += deliveries }

    /// The delivery whose job begins now; nil where none waits, or the first does not fit yet.
    package mutating func begin() -> JobDelivery? {
        // The queue may deliver an entry a second time after it was recovered from an older state. The job that runs for
        // it already ends it.
        while let first = waiting.first, running[Place(first)] != nil { waiting.removeFirst() }
        guard let first = waiting.first else { return nil }
        let width = first.ticket.width(at: capacity)
        guard taken + width <= capacity.slots else { return nil }
        waiting.removeFirst()
        running[Place(first)] = width
        taken += width
        return first
    }

    /// Frees the slots of a job that has ended.
    package mutating func end(_ delivery: JobDelivery) {
        taken -= running.removeValue(forKey: Place(delivery)) ?? 0
    }

    /// Takes back all deliveries that wait.
    package mutating func removeWaiting() -> [JobDelivery] {
        defer { waiting = [] }
        return waiting
    }

    /// Takes back the deliveries of these attempts, if they wait.
    package mutating func removeWaiting(among attempts: Set<AttemptID>) -> [JobDelivery] {
        let removed = waiting.filter { attempts.contains($0.ticket.identity) }
        waiting.removeAll { attempts.contains($0.ticket.identity) }
        return removed
    }
}
