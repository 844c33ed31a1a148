import Coordinator
import ExportPlan
import FarmAPI
import JobQueue
import Vocabulary
import FoundationEssentials

/// The lists of the farm with their columns.
enum FarmTables {
    /// - Parameters:
    ///   - now: the time from which ages count.
    ///   - isUTC: whether times are shown instead of ages.
    static func exports(at now: Date = .distantPast, isUTC: Bool = false) -> ListTable<Export> {
        ListTable([
            ListColumn("export") { .text($0.id.text) },
            ListColumn("state") { .text($0.state.rawValue) },
            ListColumn("done") { .text(Phrase.progress($0)) },
            ListColumn("frames") { .number($0.frameCount) },
            ListColumn("jobs") {
                let progress = $0.progress
                return ListValue(
                    shown: "\(progress.jobsDone)/\(progress.jobs)", exact: "\(progress.jobsDone)/\(progress.jobs)",
                    number: Double(progress.jobs))
            },
            ListColumn("age", header: isUTC ? "SUBMITTED" : nil) { .time($0.createdAt, at: now, isUTC: isUTC) },
            ListColumn("label") { .text($0.label) },
            ListColumn("priority", isDefault: false) { .number($0.priority) },
            ListColumn("pool", isDefault: false) { .text($0.pool) },
            ListColumn("tenant", isDefault: false) { .number($0.tenant) },
            ListColumn("batch", isDefault: false) { .text($0.batch?.id.text) },
            ListColumn("tags", isDefault: false) { export in
                .text(export.tags.map { $0.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ") })
            },
            ListColumn("finished", isDefault: false) { .time($0.finishedAt, at: now, isUTC: isUTC) },
            ListColumn("reason", isDefault: false) { .text($0.failure?.message) },
        ])
    }

    static func jobs(at now: Date = .distantPast, isUTC: Bool = false) -> ListTable<Job> {
        ListTable([
            ListColumn("job") { .number($0.id) },
            ListColumn("kind") { .text($0.kind.rawValue) },
            ListColumn("number") { .number($0.ordinal) },
            ListColumn("state") {
                ListValue(shown: $0.state.rawValue + ($0.reused ? " (reused)" : ""), exact: $0.state.rawValue)
            },
            ListColumn("try") { .number($0.attempt) },
            ListColumn("frames") { $0.frameCount > 0 ? .number($0.frameCount) : .missing },
            ListColumn("worker") { .text($0.worker) },
            ListColumn("age", header: isUTC ? "PLANNED" : nil) { .time($0.createdAt, at: now, isUTC: isUTC) },
            ListColumn("export") { .text($0.export.text) },
            ListColumn("role", isDefault: false) { .text($0.kind.role.rawValue) },
            ListColumn("pool", isDefault: false) { .text($0.pool) },
            ListColumn("priority", isDefault: false) { .number($0.priority) },
            ListColumn("tenant", isDefault: false) { .number($0.tenant) },
            ListColumn("predicted", isDefault: false) { .seconds($0.predicted) },
            ListColumn("memory", isDefault: false) { .bytes($0.demand?.memory) },
            ListColumn("started", isDefault: false) { .time($0.startedAt, at: now, isUTC: isUTC) },
            ListColumn("finished", isDefault: false) { .time($0.finishedAt, at: now, isUTC: isUTC) },
        ])
    }

    static func workers(at now: Date = .distantPast, isUTC: Bool = false) -> ListTable<WorkerReport> {
        ListTable([
            ListColumn("worker") { .text($0.id) },
            ListColumn("host") { .text($0.host) },
            ListColumn("roles") { .text($0.roles.map(\.rawValue).joined(separator: ",")) },
            ListColumn("busy") {
                ListValue(shown: "\($0.busy)/\($0.slots)", exact: "\($0.busy)", number: Double($0.busy))
            },
            ListColumn("memory") { .bytes($0.memory) },
            ListColumn("state") { .text($0.state) },
            ListColumn("seen") { .time($0.seenAt, at: now, isUTC: isUTC) },
            ListColumn("renders") { .text($0.running.map(\.phrase).joined(separator: "; ")) },
            ListColumn("pools", isDefault: false) { .text($0.pools.joined(separator: ",")) },
            ListColumn("slots", isDefault: false) { .number($0.slots) },
            ListColumn("waiting", isDefault: false) { .number($0.waiting) },
            ListColumn("version", isDefault: false) { .text($0.version) },
            ListColumn("machine", isDefault: false) { .text($0.machine) },
            ListColumn("started", isDefault: false) { .time($0.startedAt, at: now, isUTC: isUTC) },
        ])
    }

    static func queues(at now: Date = .distantPast, isUTC: Bool = false) -> ListTable<QueueStatus> {
        ListTable([
            ListColumn("queue") { .text($0.role.rawValue) },
            ListColumn("ready") { .number($0.ready) },
            ListColumn("dispatched") { .number($0.dispatched) },
            ListColumn("running") { .number($0.running) },
            ListColumn("waiting-time") { .seconds($0.waitingTime) },
            ListColumn("oldest", header: isUTC ? "OLDEST READY SINCE" : nil) {
                .time($0.oldestReadySince, at: now, isUTC: isUTC)
            },
            ListColumn("rate") { .number($0.finishedLastMinute, shown: "\($0.finishedLastMinute)/min") },
            ListColumn("errors") { .number($0.errorsLastHour, shown: "\($0.errorsLastHour)/h") },
            ListColumn("paused") { .text($0.isPaused ? "yes" : "no") },
            ListColumn("pools-without-workers") {
                $0.poolsWithoutWorkers.isEmpty ? .missing : .text($0.poolsWithoutWorkers.joined(separator: ", "))
            },
            ListColumn("waiting", isDefault: false) { .number($0.waiting) },
            ListColumn("pools", isDefault: false) { .text($0.pools.joined(separator: ", ")) },
        ])
    }

    static func drafts(at now: Date = .distantPast, isUTC: Bool = false) -> ListTable<DraftRevision> {
        ListTable([
            ListColumn("draft") { .text($0.name) },
            ListColumn("revision") { .number($0.revision) },
            ListColumn("age", header: isUTC ? "STORED" : nil) { .time($0.createdAt, at: now, isUTC: isUTC) },
        ])
    }

    static func revisions(at now: Date = .distantPast, isUTC: Bool = false) -> ListTable<DraftRevisionReport> {
        ListTable([
            ListColumn("revision") { .number($0.revision) },
            ListColumn("age", header: isUTC ? "STORED" : nil) { .time($0.createdAt, at: now, isUTC: isUTC) },
            ListColumn("size") { .bytes($0.byteCount) },
            ListColumn("exports") { .number($0.exportCount) },
            ListColumn("newest", header: "NEWEST EXPORT") { .text($0.newestExports.first?.text) },
        ])
    }

    static func queued(at now: Date = .distantPast, isUTC: Bool = false) -> ListTable<QueuedJob> {
        ListTable([
            ListColumn("place") { .number($0.place) },
            ListColumn("job") { .number($0.job) },
            ListColumn("kind") { .text("\($0.kind.rawValue) \($0.ordinal)") },
            ListColumn("pool") { .text($0.pool) },
            ListColumn("tenant") { .text($0.tenantName) },
            ListColumn("priority") {
                .number($0.priority, shown: "\($0.priority)\($0.isUrgent ? " (urgent)" : "")")
            },
            ListColumn("predicted") { .seconds($0.predicted) },
            ListColumn("age", header: isUTC ? "READY" : nil) { .time($0.readySince, at: now, isUTC: isUTC) },
            ListColumn("export") { .text($0.export.text) },
            ListColumn("label") { .text($0.label) },
            ListColumn("role", isDefault: false) { .text($0.role.rawValue) },
        ])
    }
}
