package import DraftModel
package import FoundationEssentials

/// The id of a batch.
package struct BatchID: UUIDIdentifier, Comparable {
    package static let thing = "batch"

    package let text: String

    package init(lowercased: String) { text = lowercased }

    package static func < (left: BatchID, right: BatchID) -> Bool { left.text < right.text }
}

/// The state of a batch. It follows from its exports: see `migrations/0025_batches.sql`.
package enum BatchState: String, CaseIterable, Hashable, Sendable, Codable {
    /// Some of its exports have not ended.
    case running
    /// All of its exports completed.
    case completed
    /// All of its exports have ended, and at least one failed.
    case failed
    /// All of its exports have ended, none failed, and at least one was cancelled.
    case cancelled
}

/// One template with many rows of values, of which each becomes an export.
package struct Batch: Hashable, Sendable, Codable {
    package var id: BatchID
    /// The position in the order of acceptance.
    package var number: Int64
    package var tenant: Int64
    /// A name for people.
    package var label: String
    package var pool: String
    package var state: BatchState
    /// At most this many exports per minute are submitted; nil for no limit.
    package var pace: Double?
    package var tags: [String: String]?
    package var metadata: FreeJSON?
    package var createdAt: Date
    /// When its last export ended; nil while it runs.
    package var endedAt: Date?
    package var progress: BatchProgress
    /// Warnings about the rows as a whole, such as a column that nothing uses.
    package var warnings: [DraftDiagnostic]

    package init(
        id: BatchID, number: Int64, tenant: Int64, label: String, pool: String, state: BatchState, pace: Double? = nil,
        tags: [String: String]? = nil, metadata: FreeJSON? = nil, createdAt: Date, endedAt: Date? = nil,
        progress: BatchProgress, warnings: [DraftDiagnostic] = []
    ) {
        self.id = id
        self.number = number
        self.tenant = tenant
        self.label = label
        self.pool = pool
        self.state = state
        self.pace = pace
        self.tags = tags
        self.metadata = metadata
        self.createdAt = createdAt
        self.endedAt = endedAt
        self.progress = progress
        self.warnings = warnings
    }
}

/// The progress of a batch, counted in rows.
package struct BatchProgress: Hashable, Sendable, Codable {
    /// Accepted rows.
    package var rows: Int
    /// Rows that were refused for their faults when the batch was submitted, and have no export.
    package var refused = 0
    /// Accepted rows that wait to be submitted as exports.
    package var waiting = 0
    package var completed = 0
    package var failed = 0
    package var cancelled = 0

    package init(rows: Int, refused: Int = 0, waiting: Int = 0) {
        self.rows = rows
        self.refused = refused
        self.waiting = waiting
    }

    /// Rows whose exports have ended.
    package var ended: Int { completed + failed + cancelled }
    /// Rows whose exports are submitted and have not ended.
    package var open: Int { rows - waiting - ended }

    /// The state that follows from the counts.
    package var state: BatchState {
        if ended < rows { return .running }
        if failed > 0 { return .failed }
        return cancelled > 0 ? .cancelled : .completed
    }
}

/// The state of one row of a batch.
package enum BatchRowState: String, CaseIterable, Hashable, Sendable, Codable {
    /// The row was refused when the batch was submitted.
    case refused
    /// It waits to be submitted as an export.
    case waiting
    /// The states of its export.
    case submitted, probing, rendering, completed, failed, cancelled

    package init(_ state: ExportState) {
        switch state {
        case .submitted: self = .submitted
        case .probing: self = .probing
        case .rendering: self = .rendering
        case .completed: self = .completed
        case .failed: self = .failed
        case .cancelled: self = .cancelled
        }
    }
}

/// What became of one row of a batch: a line of its manifest.
package struct BatchResult: Hashable, Sendable, Codable {
    /// The number of the row, from 1.
    package var row: Int
    package var state: BatchRowState
    /// The name of the film's file, with folders if the batch's output has them; nil for a refused row.
    package var output: String?
    /// The row's export; nil before it is submitted, and for a row that was refused or cancelled before.
    package var export: ExportID?
    /// Output frames of the film; nil until the export is planned.
    package var frames: Int?
    package var finishedAt: Date?
    /// Why the row has no film.
    package var message: String?
    /// The row's values, by column.
    package var values: [String: String]

    package init(
        row: Int, state: BatchRowState, output: String? = nil, export: ExportID? = nil, frames: Int? = nil,
        finishedAt: Date? = nil, message: String? = nil, values: [String: String]
    ) {
        self.row = row
        self.state = state
        self.output = output
        self.export = export
        self.frames = frames
        self.finishedAt = finishedAt
        self.message = message
        self.values = values
    }
}

/// The row of a batch that an export was made for.
package struct BatchRowReference: Hashable, Sendable, Codable {
    package var id: BatchID
    /// The number of the row, from 1.
    package var row: Int

    package init(id: BatchID, row: Int) {
        self.id = id
        self.row = row
    }
}
