package import DraftModel
package import FarmAPI

/// A batch that is to be accepted, with its rows.
package struct NewBatch: Hashable, Sendable {
    package var id: BatchID
    package var tenant: Int64
    /// What the exports of all rows have in common. Its parameters are the values for all rows.
    package var request: ExportRequest
    /// The columns whose values are those of merge fields of the template.
    package var columns: [String]
    /// At most this many exports per minute; nil for no limit.
    package var pace: Double?
    /// The rows that become exports: one at least.
    package var rows: [BatchRow]
    /// The rows with faults, which are only kept for the manifest.
    package var refused: [BatchRows.Refused]
    package var warnings: [DraftDiagnostic]
    package var idempotency: NewExport.Idempotency?

    package init(
        _ request: ExportRequest, id: BatchID, tenant: Int64, columns: [String], pace: Double? = nil, rows: [BatchRow],
        refused: [BatchRows.Refused] = [], warnings: [DraftDiagnostic] = [], idempotency: NewExport.Idempotency? = nil
    ) {
        self.request = request
        self.id = id
        self.tenant = tenant
        self.columns = columns
        self.pace = pace
        self.rows = rows
        self.refused = refused
        self.warnings = warnings
        self.idempotency = idempotency
    }
}
