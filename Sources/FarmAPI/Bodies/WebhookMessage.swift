package import ExportPlan
package import FoundationEssentials

/// The body of a request to a webhook, as the Standard Webhooks specification has it. It is thin: what else is to be
/// known is asked for at `/v1/exports/ID`. `docs/webhooks.md` describes it for receivers.
package struct WebhookMessage: Hashable, Sendable, Codable {
    package var type: WebhookEvent
    /// When the event happened.
    package var timestamp: Date
    package var data: Content

    package init(type: WebhookEvent, timestamp: Date, data: Content) {
        self.type = type
        self.timestamp = timestamp
        self.data = data
    }

    /// What the event is about, as it was when it happened.
    package struct Content: Hashable, Sendable, Codable {
        /// nil for a test.
        package var export: Subject?
        /// Only of `batch.ended`.
        package var batch: EndedBatch?
        /// Only of `export.published` and `export.publish_failed`.
        package var publication: Publication?
        /// The webhook that a test is about.
        package var webhook: Int64?

        package init(
            export: Subject? = nil, batch: EndedBatch? = nil, publication: Publication? = nil, webhook: Int64? = nil
        ) {
            self.export = export
            self.batch = batch
            self.publication = publication
            self.webhook = webhook
        }
    }

    /// An export in a message.
    package struct Subject: Hashable, Sendable, Codable {
        package var id: ExportID
        package var number: Int64
        package var label: String
        package var state: ExportState
        package var createdAt: Date
        package var finishedAt: Date?
        package var frameCount: Int?
        /// Percent of the frames that are rendered, in whole steps; only of an export that is under way.
        package var progress: Int?
        /// Only of an export that has failed.
        package var failure: Failure?

        package init(
            id: ExportID, number: Int64, label: String, state: ExportState, createdAt: Date, finishedAt: Date? = nil,
            frameCount: Int? = nil, progress: Int? = nil, failure: Failure? = nil
        ) {
            self.id = id
            self.number = number
            self.label = label
            self.state = state
            self.createdAt = createdAt
            self.finishedAt = finishedAt
            self.frameCount = frameCount
            self.progress = progress
            self.failure = failure
        }
    }

    /// A batch in a message. Its manifest is at `/v1/batches/ID/results`.
    package struct EndedBatch: Hashable, Sendable, Codable {
        package var id: BatchID
        package var number: Int64
        package var label: String
        package var state: BatchState
        package var createdAt: Date
        package var endedAt: Date
        /// Accepted rows, and of these those whose exports completed, failed and were cancelled.
        package var rows: Int
        package var completed: Int
        package var failed: Int
        package var cancelled: Int
        /// Rows that were refused when the batch was submitted.
        package var refused: Int

        /// - Parameter batch: one that has ended.
        package init(_ batch: Batch) {
            id = batch.id
            number = batch.number
            label = batch.label
            state = batch.state
            createdAt = batch.createdAt
            endedAt = batch.endedAt ?? batch.createdAt
            rows = batch.progress.rows
            completed = batch.progress.completed
            failed = batch.progress.failed
            cancelled = batch.progress.cancelled
            refused = batch.progress.refused
        }
    }

    /// Why an export failed, without the diagnostics of its draft, which may be long.
    package struct Failure: Hashable, Sendable, Codable {
        /// How many characters of a message are sent.
        static let length = 2000

        package var failureClass: FailureClass
        package var message: String

        package init(_ failure: ExportFailure) {
            failureClass = failure.failureClass
            message = String(failure.message.prefix(Failure.length))
        }
    }
}
