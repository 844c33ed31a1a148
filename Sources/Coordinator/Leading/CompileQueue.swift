package import FarmAPI

/// Exports that the leader has read from the store to compile them, a batch for each tenant, so that the store is not
/// asked for each export: its answer costs as much as exports wait.
///
/// Tenants take turns, so that none waits for another's backlog. Within a tenant exports go in the order of the store.
package struct CompileQueue: Sendable {
    private var batches: [Int64: [ExportToCompile]] = [:]
    /// How many exports of each tenant are being compiled.
    private var busy: [Int64: Int] = [:]
    private var compiling: Set<ExportID> = []
    /// Exports that are not compiled again.
    private(set) var stuck: Set<ExportID> = []
    /// Tenants in the order of their last turns, the latest last.
    package private(set) var served: [Int64] = []
    /// How many exports of one tenant may be compiled at a time, so that one tenant's long documents delay only that
    /// tenant.
    private let limitPerTenant: Int

    package init(limitPerTenant: Int) {
        self.limitPerTenant = max(1, limitPerTenant)
    }

    /// The tenants whose waiting exports were read.
    package var knownTenants: Set<Int64> { Set(batches.keys) }

    /// Exports that are being compiled or will not be; the store leaves them out.
    package var excluded: Set<ExportID> { compiling.union(stuck) }

    /// How many exports are being compiled.
    package var compilingCount: Int { compiling.count }

    /// Forgets which exports wait, because others may have become more urgent meanwhile.
    package mutating func clear() { batches = [:] }

    package mutating func add(_ exports: [ExportToCompile]) {
        for export in exports where !excluded.contains(export.id) { batches[export.tenant, default: []].append(export) }
    }

    /// Takes the next export: of the tenant that has had no turn for the longest time.
    /// - Returns: nil where no tenant may have another export compiled.
    package mutating func next() -> ExportToCompile? {
        let places = Dictionary(uniqueKeysWithValues: served.enumerated().map { ($1, $0 + 1) })
        let candidates = batches.keys.filter { busy[$0, default: 0] < limitPerTenant }
        guard let tenant = candidates.min(by: { (places[$0] ?? 0, $0) < (places[$1] ?? 0, $1) }),
            let export = batches[tenant]?.first
        else { return nil }
        batches[tenant]?.removeFirst()
        if batches[tenant]?.isEmpty == true { batches[tenant] = nil }
        busy[tenant, default: 0] += 1
        compiling.insert(export.id)
        served.removeAll { $0 == tenant }
        served.append(tenant)
        return export
    }

    /// - Parameter isStuck: whether the export can neither be compiled nor failed.
    package mutating func ended(_ export: ExportToCompile, isStuck: Bool) {
        compiling.remove(export.id)
        busy[export.tenant, default: 1] -= 1
        if busy[export.tenant] == 0 { busy[export.tenant] = nil }
        // What was read while it was compiled may name it.
        batches[export.tenant]?.removeAll { $0.id == export.id }
        if isStuck { stuck.insert(export.id) }
    }
}
