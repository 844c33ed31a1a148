package import FarmAPI
package import FoundationEssentials

/// Batches from acceptance to the end.
package protocol BatchStore: Sendable {
    /// Accepts a batch with all its rows, or nothing. A batch whose idempotency key and request were accepted before is
    /// not accepted again.
    /// - Returns: the batch, and whether it is new.
    /// - Throws: `FarmError` `conflict` when the key was used for another request; `notFound` when there is no such
    ///   draft; `forbidden` when the priority is above the tenant's cap and the request may not exceed that.
    func submit(_ batch: NewBatch) async throws -> (batch: Batch, isNew: Bool)
    /// - Parameter tenant: nil for the operator, who sees all.
    func batch(_ id: BatchID, tenant: Int64?) async throws -> Batch?
    /// The newest first.
    /// - Parameter number: only batches that were accepted before the one with this number; nil for the newest.
    func batches(tenant: Int64?, state: BatchState?, before number: Int64?, limit: Int) async throws -> [Batch]
    /// What became of a batch's rows, in their order.
    /// - Parameters:
    ///   - row: rows up to this number are left out.
    ///   - state: only rows in this state; nil for all.
    func results(of id: BatchID, after row: Int, state: BatchRowState?, limit: Int) async throws -> [BatchResult]
    /// Cancels the rows of a batch that wait, so that no more exports of it are made.
    /// - Returns: the exports of the batch that have not ended, at most `limit`, which the caller cancels; nil when there
    ///   is no such batch.
    func cancelWaiting(_ id: BatchID, limit: Int) async throws -> [ExportID]?
    /// Makes the failed rows of a batch wait again. Their new exports replace the failed ones, which keep their records
    /// without the batch.
    /// - Returns: how many rows.
    func rerunFailed(_ id: BatchID) async throws -> Int

    // For the leader:

    /// Submits waiting rows of one batch as exports, as many as its pace allows (`ReleasePace`).
    /// - Returns: how many; 0 when no batch has rows that may be submitted now.
    func releaseRows(at now: Date) async throws -> Int
    /// Whether a batch has waiting rows.
    func hasWaitingRows() async throws -> Bool
}
