import ExportPlan
package import FarmAPI
import FoundationEssentials

extension MemoryFarmStore: DeadLetterStore {
    package func deadLetters(tenant: Int64?, after job: Int64?, limit: Int) -> [DeadLetter] {
        Array(
            deadLetterRows.values.filter { (tenant == nil || $0.tenant == tenant) && $0.job > job ?? 0 }
                .sorted { $0.job < $1.job }.prefix(limit))
    }

    package func discardDeadLetter(_ job: Int64, tenant: Int64?) throws {
        guard let letter = deadLetterRows[job], tenant == nil || letter.tenant == tenant else {
            throw FarmError(.notFound, "job \(job) is no dead letter")
        }
        deadLetterRows[job] = nil
    }

    /// Notes a job whose export fails because of it, if it crashed.
    func noteDeadLetter(_ job: JobRow, _ failure: JobFailure, at now: Date) {
        guard failure.failureClass == .crash else { return }
        deadLetterRows[job.id] = DeadLetter(
            job: job.id, export: job.export, tenant: job.tenant, kind: job.new.kind, ordinal: job.new.ordinal,
            attempts: job.lifecycle.attempt, workers: Set(job.attempts.compactMap(\.worker)).sorted(), failure: failure,
            diedAt: now)
    }

    func forgetDeadLetters(of export: ExportID) { deadLetterRows = deadLetterRows.filter { $0.value.export != export } }
}
