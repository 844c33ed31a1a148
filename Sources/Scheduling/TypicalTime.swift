/// How long attempts have taken lately: an average in which each attempt counts a tenth less than the next one.
struct TypicalTime: Hashable, Sendable {
    /// For how long a slot may be sent jobs ahead, in seconds. An urgent job waits no longer for this.
    static let ahead = 0.5
    /// How many jobs each slot may be sent ahead at most.
    static let mostAhead = 32

    /// A longer time counts as this one: a week, in seconds. It keeps averages finite whatever workers report.
    static let longest = 7.0 * 86400

    /// Seconds of an attempt on one slot; nil where none has ended yet.
    private(set) var seconds: Double?

    /// - Parameter taken: seconds; what used no slot time, such as a reused artifact, does not count.
    mutating func add(_ taken: Double) {
        guard taken > 0 else { return }
        let taken = min(taken, TypicalTime.longest)
        seconds = seconds.map { $0 + (taken - $0) / 10 } ?? taken
    }

    /// How many jobs slots are sent beyond one each, where jobs are so short that a slot would wait for a noticeable part
    /// of its time between a report and the next job.
    func jobsAhead(slots: Int) -> Int {
        guard let seconds else { return 0 }
        return slots * min(TypicalTime.mostAhead, Int(TypicalTime.ahead / max(seconds, 0.001)))
    }

    /// For how many seconds slots have work beyond their present jobs, where jobs are so short that all slots are sent
    /// some ahead; otherwise 0, because a few slots may have no work while most do.
    func secondsAhead(jobs: Int, slots: Int) -> Double {
        guard let seconds, seconds < TypicalTime.ahead, slots > 0 else { return 0 }
        return Double(max(0, jobs - slots)) / Double(slots) * seconds
    }
}
