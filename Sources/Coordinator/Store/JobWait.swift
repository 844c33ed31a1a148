package import FarmAPI
package import FoundationEssentials

/// A note for the clients of an export that a job of it waits.
package struct JobWait: Hashable, Sendable {
    package var export: ExportID
    package var job: Int64
    package var message: String
    /// Since when it waits.
    package var since: Date

    package init(export: ExportID, job: Int64, message: String, since: Date) {
        self.export = export
        self.job = job
        self.message = message
        self.since = since
    }
}
