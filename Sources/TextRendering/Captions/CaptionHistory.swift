/// Groups of captions that overlap in time. libass places an event where there is room when it first draws it, and
/// leaves it there. So the look of a group at an instant depends on what was drawn since the group began, and on
/// nothing before that.
struct CaptionHistory {
    /// Events that overlap in time, directly or through others.
    struct Run: Equatable {
        /// When the group begins, in milliseconds; `end` has the same unit.
        var start: Int64
        var end: Int64
        /// When its events begin, in rising order and without duplicates.
        var starts: [Int64]
        /// The number of its events.
        var count: Int
        /// Whether an event changes its size while it is seen; in that case every instant may move the other events.
        var changesSize: Bool
    }

    /// Groups in order of time, without overlaps.
    let runs: [Run]

    init(_ events: [ScriptEvent]) {
        var runs: [Run] = []
        for event in events.filter({ !$0.isPlaced && $0.end > $0.start }).sorted(by: { $0.start < $1.start }) {
            if var run = runs.last, event.start < run.end {
                run.end = max(run.end, event.end)
                if run.starts.last != event.start { run.starts.append(event.start) }
                run.count += 1
                run.changesSize = run.changesSize || event.changesSize
                runs[runs.count - 1] = run
            } else {
                runs.append(
                    Run(start: event.start, end: event.end, starts: [event.start], count: 1, changesSize: event.changesSize))
            }
        }
        self.runs = runs
    }

    /// The group that is seen at an instant, if its look depends on what was drawn before.
    func run(at time: Int64) -> Int? {
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].end <= time { low = middle + 1 } else { high = middle }
        }
        guard low < runs.count, runs[low].start <= time, runs[low].count > 1 else { return nil }
        return low
    }
}
