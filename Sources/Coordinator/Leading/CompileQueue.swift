package import FarmAPI

/// Exports that the leader has read from the store to compile them, some of each tenant, so that the store is not asked
/// for each export: its answer costs as much as exports wait.
///
/// Exports are taken in batches of one tenant, because a batch is stored with as many statements as one export. Tenants
/// take turns, so that none waits for another's backlog. Within a tenant exports go in the order of the store. Urgent
/// exports go before all others, and one batch of them is taken beyond the limits, so that it waits for no other batch.
package struct CompileQueue: Sendable {
    private var waiting: [Int64: [ExportToCompile]] = [:]
    /// How many batches of each tenant are being compiled.
    private var busy: [Int64: Int] = [:]
    /// How many of them are of urgent exports.
    private var urgentCount = 0
    private var compiling: Set<ExportID> = []
    /// Exports that are not compiled again.
    private(set) var stuck: Set<ExportID> = []
    /// Tenants in the order of their last turns, the latest last.
    private var served: [Int64] = []
    /// How many batches may be compiled at a time.
    private let limit: Int
    /// How many of them may be of one tenant, so that one tenant's long documents delay only that tenant.
    private let limitPerTenant: Int
    /// How many exports a batch has at most.
    private let batchSize: Int

    package init(limit: Int, limitPerTenant: Int, batchSize: Int) {
        self.limit = max(1, limit)
        self.limitPerTenant = max(1, limitPerTenant)
        self.batchSize = max(1, batchSize)
    }

    /// The tenants whose waiting exports were read.
    package var knownTenants: Set<Int64> { Set(waiting.keys) }

    /// Exports that are being compiled or will not be; the store leaves them out.
    package var excluded: Set<ExportID> { compiling.union(stuck) }

    /// How many batches are being compiled.
    package var batchCount: Int { busy.values.reduce(0, +) }

    /// Whether as many batches are being compiled as may be, and only an urgent one may still be taken.
    package var isFull: Bool { batchCount >= limit }

    /// Forgets which exports wait, because others may have become more urgent meanwhile.
    package mutating func clear() { waiting = [:] }

    package mutating func add(_ exports: [ExportToCompile]) {
        for export in exports where !excluded.contains(export.id) { waiting[export.tenant, default: []].append(export) }
    }

    /// Takes the next batch: the urgent one of the highest priority, or of the tenant that has had no turn for the longest
    /// time. It is of one priority, so that an export waits for none of a lower one. An export whose compiling began and did
    /// not end is taken alone: where its draft takes the process down, no other export is blamed.
    /// - Returns: an empty array where no tenant may have another batch compiled.
    package mutating func next() -> [ExportToCompile] {
        let places = Dictionary(uniqueKeysWithValues: served.enumerated().map { ($1, $0 + 1) })
        /// The least goes first.
        func keys(_ tenant: Int64) -> (Int, Int, Int64) {
            let first = waiting[tenant]?.first
            return (first?.isUrgent == true ? -(first?.priority ?? 0) : Int.max, places[tenant] ?? 0, tenant)
        }
        let candidates = waiting.keys.filter { tenant in
            urgentCount == 0 && waiting[tenant]?.first?.isUrgent == true
                || !isFull && busy[tenant, default: 0] < limitPerTenant
        }
        guard let tenant = candidates.min(by: { keys($0) < keys($1) }),
            let exports = waiting[tenant], let first = exports.first
        else { return [] }
        let others = exports.dropFirst().prefix(batchSize - 1).prefix { export in
            first.attempts == 0 && export.attempts == 0 && export.priority == first.priority
        }
        if first.isUrgent { urgentCount += 1 }
        let batch = [first] + others
        waiting[tenant] = batch.count < exports.count ? Array(exports.dropFirst(batch.count)) : nil
        busy[tenant, default: 0] += 1
        compiling.formUnion(batch.map(\.id))
        served.removeAll { $0 == tenant }
        served.append(tenant)
        return batch
    }

    /// - Parameters:
    ///   - batch: what `next` has returned.
    ///   - stuck: exports that can neither be compiled nor failed.
    package mutating func ended(_ batch: [ExportToCompile], stuck: Set<ExportID> = []) {
        guard let first = batch.first else { return }
        let tenant = first.tenant
        if first.isUrgent { urgentCount -= 1 }
        let ids = Set(batch.map(\.id))
        compiling.subtract(ids)
        busy[tenant, default: 1] -= 1
        if busy[tenant] == 0 { busy[tenant] = nil }
        // The store may have named them once more while they were compiled.
        waiting[tenant]?.removeAll { ids.contains($0.id) }
        if waiting[tenant]?.isEmpty == true { waiting[tenant] = nil }
        self.stuck.formUnion(stuck)
    }
}
