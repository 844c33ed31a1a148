import JobQueue

/// What the simulation does next.
enum TimelineEvent: Sendable {
    case scenario(ScenarioEvent.Kind)
    /// A fault that lasted for a time is over.
    case repair(ScenarioEvent.Kind)
    /// Everything that was broken is repaired.
    case recovery
    /// A leader does what it does each second.
    case leaderSecond(Int)
    /// A leader is called because there are reports or news.
    case leaderCall(Int)
    case workerSecond(Int, incarnation: Int)
    case workerTakes(Int, incarnation: Int)
    case attemptEnds(Int, incarnation: Int, entry: String)
    case arrival([JobTicket])
}

/// Events in the order of their times, and of equal times in the order in which they were added.
struct Timeline {
    private struct Entry {
        var time: Int
        var number: Int
        var event: TimelineEvent

        func isBefore(_ other: Entry) -> Bool { (time, number) < (other.time, other.number) }
    }

    /// A binary heap: the entry at n is before those at 2n + 1 and 2n + 2.
    private var entries: [Entry] = []
    private var count = 0

    mutating func add(_ event: TimelineEvent, at time: Int) {
        count += 1
        entries.append(Entry(time: time, number: count, event: event))
        var place = entries.count - 1
        while place > 0, entries[place].isBefore(entries[(place - 1) / 2]) {
            entries.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    mutating func next() -> (time: Int, event: TimelineEvent)? {
        guard let first = entries.first else { return nil }
        let last = entries.removeLast()
        guard !entries.isEmpty else { return (first.time, first.event) }
        entries[0] = last
        var place = 0
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2] where child < entries.count && entries[child].isBefore(entries[least]) {
                least = child
            }
            guard least != place else { return (first.time, first.event) }
            entries.swapAt(place, least)
            place = least
        }
    }
}
