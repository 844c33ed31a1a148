/// Captions that are seen together, one run of them after the other: libass puts an event where there is room when it first
/// draws it, and leaves it there. What a run looks like at an instant hangs on what was drawn since it began, and on nothing
/// before that.
struct CaptionHistory {
    /// Events of which each overlaps another in time.
    struct Run: Equatable {
        /// Milliseconds.
        var start: Int64
        var end: Int64
        /// When its events begin, rising, each once.
        var starts: [Int64]
        /// How many events it has.
        var count: Int
        /// Whether an event changes its size while it is seen; then every instant may move the others.
        var changesSize: Bool
    }

    /// In the order of time, without overlaps.
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

    /// The run that is seen at an instant, if there is one whose look hangs on its past.
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
