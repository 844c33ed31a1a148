import FarmAPI
import ExportPlan
package import FoundationEssentials

/// Tenants and exports.
extension Scheduler {
    mutating func setTenant(_ id: Int64, share: Int, priorityCap: Int) {
        let tenant = tenantIndex[id] ?? addTenant(id)
        tenants[tenant].share = share
        guard tenants[tenant].priorityCap != priorityCap else { return }
        tenants[tenant].priorityCap = priorityCap
        setUrgency(exportIndex.values.filter { exports[$0].tenant == tenant })
    }

    private mutating func addTenant(_ id: Int64) -> Int32 {
        let index = tenants.insert(TenantRecord(id: id, share: 1, priorityCap: SchedulerEvent.openCap))
        tenantIndex[id] = index
        return index
    }

    mutating func addExport(_ export: QueuedExport) -> Bool {
        let tenant = tenantIndex[export.tenant] ?? addTenant(export.tenant)
        let pool = poolIndex[export.pool] ?? addPool(export.pool)
        if let known = exportIndex[export.id] {
            guard exports[known].tenant == tenant, exports[known].pool == pool else { return false }
            exports[known].isRemoved = false
            return setPriority(of: export.id, export.priority)
        }
        let account: Int32
        if let known = tenants[tenant].accounts[pool] {
            account = known
        } else {
            account = accounts.insert(AccountRecord(tenant: tenant, pool: pool))
            tenants[tenant].accounts[pool] = account
        }
        exportIndex[export.id] = exports.insert(
            ExportRecord(
                id: export.id, account: account, tenant: tenant, pool: pool, number: export.number, priority: export.priority,
                minute: Scheduler.minute(export.since), isUrgent: export.priority > tenants[tenant].priorityCap))
        return true
    }

    /// The minute in which a time lies.
    package static func minute(_ time: Date) -> Int {
        Int(max(-1e15, min(1e15, (time.timeIntervalSince1970 / 60).rounded(.down))))
    }

    mutating func setPriority(of id: ExportID, _ priority: Int) -> Bool {
        guard let export = exportIndex[id] else { return false }
        guard exports[export].priority != priority else { return true }
        exports[export].priority = priority
        setUrgency([export])
        listAgain(export: export)
        return true
    }

    /// Moves the queues of exports of one tenant that have become urgent, or are so no longer, in the order of the roles.
    private mutating func setUrgency(_ changed: [Int32]) {
        var moved: [(lane: Int32, queue: Int32)] = []
        for export in changed {
            let isUrgent = exports[export].priority > tenants[exports[export].tenant].priorityCap
            guard exports[export].isUrgent != isUrgent else { continue }
            exports[export].isUrgent = isUrgent
            moved += exports[export].queues.map { (tenantQueues[exportQueues[$0].parent].lane, $0) }
        }
        for (_, queue) in moved.sorted(by: { $0.lane < $1.lane }) { move(queue) }
    }

    mutating func removeExport(_ id: ExportID) -> Bool {
        guard let export = exportIndex[id] else { return false }
        exports[export].isRemoved = true
        var job = exports[export].jobs
        while job != none {
            let next = jobs[job].nextInExport
            if jobs[job].state != .inFlight { withdraw(job) }
            job = next
        }
        forgetExportIfOver(export)
        return true
    }

    /// Forgets an export that was removed, once nothing of it is in flight.
    mutating func forgetExportIfOver(_ export: Int32) {
        guard exports[export].isRemoved, exports[export].jobs == none else { return }
        let record = exports[export]
        exportIndex[record.id] = nil
        exports.remove(
            export,
            leaving: ExportRecord(
                id: record.id, account: none, tenant: none, pool: none, number: 0, priority: 0, minute: 0, isUrgent: false))
    }

    func lane(of export: Int32, _ kind: JobKind) -> Int32 { pools[exports[export].pool].lanes[kind.role.position] }

    func tenantKey(_ job: Int32) -> TenantKey { TenantKey(tenant: exports[jobs[job].export].tenant, key: jobs[job].key) }

    func order(_ export: Int32) -> ExportOrder {
        let record = exports[export]
        return ExportOrder(
            urgency: record.isUrgent ? -record.priority : 0, rank: record.minute - record.priority, load: record.load,
            number: record.number)
    }
}
