package import FarmAPI

/// Jobs that failed for good as crashes. A job becomes one in the transaction in which its last attempt ends, and is none
/// any more when a job of its export is retried.
package protocol DeadLetterStore: Sendable {
    /// In the order of the jobs.
    /// - Parameters:
    ///   - tenant: nil for all tenants.
    ///   - job: only those behind this job; nil for the first.
    func deadLetters(tenant: Int64?, after job: Int64?, limit: Int) async throws -> [DeadLetter]
    /// Forgets a dead letter. Its job and its export stay as they are, and can be retried as long as they could.
    /// - Throws: `FarmError` `notFound`.
    func discardDeadLetter(_ job: Int64, tenant: Int64?) async throws
}
