import ExportPlan
import JobQueue

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The farm's truth inside one process: for tests, and to say what the store is in the fewest words.
///
/// It behaves as `PostgresFarmStore` does, believes what `migrations/0001_farm.sql` believes, and forgets everything when it
/// goes. Every call runs on the actor without a pause, and checks before it changes anything: that is its transaction. Rows
/// are looked through one by one, so it is no place for a million jobs.
public actor MemoryFarmStore: FarmStore {
    /// The time, where a call is not told it.
    let clock: @Sendable () -> Date

    var tenantRows: [Tenant] = []
    var tokenRows: [TokenRow] = []
    var draftRows: [DraftRow] = []
    var assetRows: [AssetRow] = []
    /// In order of acceptance: number n is at place n - 1.
    var exportRows: [ExportRow] = []
    var exportPlaces: [ExportID: Int] = [:]
    /// In order of creation: job n is at place n - 1.
    var jobRows: [JobRow] = []
    /// With what making them concealed.
    var artifacts: [TenantKey: [SourceWarning]] = [:]
    var eventRows: [ExportEvent] = []
    var idempotencyRows: [IdempotencyKey: IdempotencyRow] = [:]
    var paused: Set<WorkerRole> = []
    var workerRows: [String: WorkerStatus] = [:]
    var recordingRows: [RecordingID: RecordingRecord] = [:]

    public init(clock: @escaping @Sendable () -> Date = { Date() }) {
        self.clock = clock
    }

    func tenantExists(_ id: Int64) -> Bool { tenantRows.contains { $0.id == id } }

    /// - Returns: the place of a job's row.
    func place(ofJob id: Int64) -> Int? {
        let place = Int(id) - 1
        return jobRows.indices.contains(place) ? place : nil
    }

    func log(_ kind: ExportEvent.Kind, _ export: ExportID, job: Int64? = nil, _ message: String, at time: Date) {
        let id = Int64(eventRows.count + 1)
        eventRows.append(ExportEvent(id: id, export: export, job: job, kind: kind, message: message, at: time))
    }

    /// Artifacts that a job is on its way to make: nobody else of the tenant makes them meanwhile.
    func keysInFlight() -> Set<TenantKey> {
        Set(jobRows.lazy.filter(\.lifecycle.state.isInFlight).map(\.tenantKey))
    }
}
