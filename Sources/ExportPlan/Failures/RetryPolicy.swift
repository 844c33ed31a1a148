/// How often and how soon a failed job is retried, by the class of its failure (farm.md, section 4).
package enum RetryPolicy {
    /// The number of attempts at a job, the first one included, at which a failure of this class is final. It is the same
    /// for a local export, which only retries crashes, and for the farm.
    package static func attempts(_ failureClass: FailureClass) -> Int {
        switch failureClass {
        case .input: 1
        case .transient: 5
        // The later pauses are 30 to 60 s long, so 129 retries last for more than an hour.
        case .storage: 130
        case .resource: 2
        // Each retry goes to another worker. The leader ends the export when all workers of the lane are excluded.
        case .environment: .max
        case .crash: 3
        }
    }
}
