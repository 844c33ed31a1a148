/// One attempt at one job.
package struct AttemptID: Hashable, Sendable, Codable {
    package var job: Int64
    package var attempt: Int

    package init(job: Int64, attempt: Int) {
        self.job = job
        self.attempt = attempt
    }
}

extension AttemptID: Comparable {
    package static func < (first: AttemptID, second: AttemptID) -> Bool {
        (first.job, first.attempt) < (second.job, second.attempt)
    }
}
