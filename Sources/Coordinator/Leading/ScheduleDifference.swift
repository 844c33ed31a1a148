/// Jobs of an export of which the scheduler has not been told what the store holds, by their ids.
struct ScheduleDifference: Hashable, Sendable {
    /// Jobs that are ready, and that the scheduler does not know as such.
    var ready: Set<Int64>
    /// Jobs in flight that it does not know as such.
    var inFlight: Set<Int64>
    /// Jobs that it believes ready and that are not.
    var noLongerReady: Set<Int64>
    /// Jobs that it believes in flight and that are not.
    var noLongerInFlight: Set<Int64>

    var isEmpty: Bool { ready.isEmpty && inFlight.isEmpty && noLongerReady.isEmpty && noLongerInFlight.isEmpty }

    /// What is part of another difference, too.
    func common(with other: ScheduleDifference) -> ScheduleDifference {
        ScheduleDifference(
            ready: ready.intersection(other.ready), inFlight: inFlight.intersection(other.inFlight),
            noLongerReady: noLongerReady.intersection(other.noLongerReady),
            noLongerInFlight: noLongerInFlight.intersection(other.noLongerInFlight))
    }

    /// The difference in words: `did not know that jobs 7, 8 are ready`.
    var description: String {
        let parts = [
            ("are ready", ready), ("are in flight", inFlight), ("are no longer ready", noLongerReady),
            ("are no longer in flight", noLongerInFlight),
        ]
        let known = parts.filter { !$1.isEmpty }.map { what, jobs in
            let named = jobs.sorted().prefix(10).map(String.init).joined(separator: ", ")
            return "jobs \(named)\(jobs.count > 10 ? " and \(jobs.count - 10) more" : "") \(what)"
        }
        return "did not know that \(known.joined(separator: ", and "))"
    }
}
