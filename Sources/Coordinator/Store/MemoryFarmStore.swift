import FarmAPI
import ExportPlan
import JobQueue
package import FoundationEssentials

/// The farm's state inside one process: for tests, and as the shortest description of what a store does.
///
/// It behaves as `PostgresFarmStore` does, keeps the constraints of `migrations/0001_farm.sql`, and forgets everything
/// when it is freed. Every call runs on the actor without a suspension, and checks before it changes anything, so that
/// it is a transaction. Rows are searched one by one, so it is no place for a million jobs.
package actor MemoryFarmStore: FarmStore {
    /// The time for calls that are not given one.
    let clock: @Sendable () -> Date

    var tenantRows: [Tenant] = []
    var tokenRows: [TokenRow] = []
    var draftRows: [DraftRow] = []
    var assetRows: [AssetRow] = []
    /// What is known of fetched sources, by tenant and location.
    var fetchedSources: [String: FetchedSource] = [:]
    /// In order of acceptance: number n is at place n - 1.
    var exportRows: [ExportRow] = []
    var exportPlaces: [ExportID: Int] = [:]
    /// In order of creation: job n is at place n - 1.
    var jobRows: [JobRow] = []
    /// Artifacts that exist, with the warnings about damage that was concealed while they were made.
    var artifacts: [TenantKey: [SourceWarning]] = [:]
    /// When an export last relied on each artifact.
    var artifactUses: [TenantKey: Date] = [:]
    var eventRows: [ExportEvent] = []
    /// Events that have moved to the history, and those of them that were removed from there.
    var movedEvents: Set<Int64> = []
    var removedEvents: Set<Int64> = []
    var idempotencyRows: [IdempotencyKey: IdempotencyRow] = [:]
    var paused: Set<WorkerRole> = []
    var workerRows: [String: WorkerStatus] = [:]
    /// What the scheduler has to know of the present call.
    var changes = ScheduleChanges()
    var recordingRows: [RecordingID: RecordingRecord] = [:]
    var costRows: [StoredCostModel] = []
    var faultRows: [AuditFault] = []
    /// In the order of their ids.
    var adminRows: [AdminAction] = []
    /// Jobs that failed for good as crashes, by their numbers.
    var deadLetterRows: [Int64: DeadLetter] = [:]
    /// In the order of their ids; the last id that was given out is remembered, because webhooks are removed.
    var webhookRows: [WebhookRow] = []
    var lastWebhook: Int64 = 0
    /// In the order of their ids.
    var deliveryRows: [DeliveryRow] = []
    var lastDelivery: Int64 = 0
    var keyedAnswerRows: [Int64: [String: KeyedAnswerRow]] = [:]
    var publicationRows: [ExportID: PublicationRow] = [:]
    /// In order of acceptance.
    var batchRows: [BatchRecord] = []

    private let id = UUID().uuidString.lowercased()

    package init(clock: @escaping @Sendable () -> Date = { Date() }) {
        self.clock = clock
    }

    package func farm() -> String { id }

    package func confirmLead() {}

    /// Nobody restores a store in memory.
    package func skipNumbers(behindJob job: Int64) -> Bool { false }

    func tenantExists(_ id: Int64) -> Bool { tenantRows.contains { $0.id == id } }

    /// - Returns: the index of a job's row; nil when there is no such job.
    func place(ofJob id: Int64) -> Int? {
        let place = Int(id) - 1
        return jobRows.indices.contains(place) ? place : nil
    }

    /// Records an event of an export; the same event is recorded once.
    func log(_ kind: ExportEvent.Kind, _ export: ExportID, job: Int64? = nil, _ message: String, at time: Date) {
        let isKnown = eventRows.contains { event in
            event.export == export && event.job == job && event.kind == kind && event.message == message && event.at == time
        }
        guard !isKnown else { return }
        let id = Int64(eventRows.count + 1)
        eventRows.append(ExportEvent(id: id, export: export, job: job, kind: kind, message: message, at: time))
    }

    /// Artifacts that a dispatched or running job makes. No other job of the tenant makes them meanwhile.
    func keysInFlight() -> Set<TenantKey> {
        Set(jobRows.lazy.filter(\.lifecycle.state.isInFlight).map(\.tenantKey))
    }
}
