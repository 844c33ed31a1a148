import FarmAPI
import ExportPlan
package import FoundationEssentials

/// How ready jobs enter and leave their queues.
extension Scheduler {
    // MARK: Events

    mutating func addReady(_ job: ReadyJob) -> Bool {
        guard let export = exportIndex[job.export], !exports[export].isRemoved else { return false }
        if let known = jobIndex[job.id] {
            guard jobs[known].state != .inFlight else { return false }
            withdraw(known)
        }
        guard let index = insert(job) else { return false }
        let time = job.notBefore.timeIntervalSince1970
        if time > now {
            early += 1
            due.insert(DueEntry(time: time, id: job.id, index: index, version: jobs.version(index)), &steps)
            cleanDue()
        } else {
            enqueue(index)
        }
        return true
    }

    mutating func removeReady(_ id: Int64) -> Bool {
        guard let job = jobIndex[id], jobs[job].state != .inFlight else { return false }
        withdraw(job)
        return true
    }

    /// When to ask for dispatches again although nothing happens: the time of the first job that is not due yet, or at which
    /// a slot is no longer kept; nil where there is neither.
    package mutating func nextDue() -> Date? {
        cleanDue()
        return [due.min?.time, kept?.until].compactMap(\.self).min().map { Date(timeIntervalSince1970: $0) }
    }

    /// Queues the jobs that are due now.
    mutating func releaseDue() {
        while true {
            cleanDue()
            guard let first = due.min, first.time <= now else { return }
            due.removeMin(&steps)
            early -= 1
            enqueue(first.index)
        }
    }

    private mutating func cleanDue() {
        while let first = due.min, jobs.version(first.index) != first.version { due.removeMin(&steps) }
        if due.isMostlyStale(live: early) {
            due.replace(with: due.entries.filter { jobs.version($0.index) == $0.version }, &steps)
        }
    }

    // MARK: Records

    /// Makes the record of a job, as a job that belongs to no queue yet.
    /// - Returns: nil where the export is unknown, or the job is known.
    mutating func insert(_ job: ReadyJob) -> Int32? {
        guard let export = exportIndex[job.export], jobIndex[job.id] == nil else { return nil }
        endKeeping(for: exports[export].account)
        let seconds = job.predicted.isFinite ? min(max(0, job.predicted), 1e9) : 0
        let first = exports[export].jobs
        var record = JobRecord(
            id: job.id, key: KeyDigest(job.key), cost: Int64((seconds * 1e6).rounded()), export: export,
            ordinal: Int32(truncatingIfNeeded: job.ordinal), size: size(of: job.demand), source: job.source,
            kind: job.kind, state: .early,
            isRestricted: !job.excludedWorkers.isEmpty)
        record.nextInExport = first
        let index = jobs.insert(record)
        if first != none { jobs[first].previousInExport = index }
        exports[export].jobs = index
        jobIndex[job.id] = index
        if record.isRestricted { restrictions[index] = Array(Set(job.excludedWorkers)).sorted() }
        return index
    }

    /// Removes the record of a job that belongs to no queue.
    mutating func forget(_ job: Int32) {
        let record = jobs[job]
        jobIndex[record.id] = nil
        if record.isRestricted { restrictions[job] = nil }
        if record.previousInExport != none {
            jobs[record.previousInExport].nextInExport = record.nextInExport
        } else {
            exports[record.export].jobs = record.nextInExport
        }
        if record.nextInExport != none { jobs[record.nextInExport].previousInExport = record.previousInExport }
        jobs.remove(job, leaving: record)
    }

    /// Takes a ready job out of whatever it waits in, and forgets it.
    mutating func withdraw(_ job: Int32) {
        switch jobs[job].state {
        case .early: early -= 1
        case .held:
            unhold(job)
            leaveQueue(job)
        case .queued: leaveQueue(job)
        case .inFlight: return
        }
        forget(job)
    }

    // MARK: Queues

    /// Adds a job to the queue of its export, its tenant and its lane.
    private mutating func enqueue(_ job: Int32) {
        let export = jobs[job].export
        let laneQueue = laneQueue(for: job)
        let queue =
            exports[export].queues.first { tenantQueues[exportQueues[$0].parent].parent == laneQueue }
            ?? addExportQueue(export, in: laneQueue)
        jobs[job].queue = queue
        exportQueues[queue].count += 1
        count(1, in: exportQueues[queue].parent)
        queueAgain(job)
    }

    /// Puts a job into the heap of its export.
    mutating func queueAgain(_ job: Int32) {
        let queue = jobs[job].queue
        jobs[job].state = .queued
        let record = jobs[job]
        let entry = JobEntry(
            cost: record.cost, id: record.id, ordinal: record.ordinal, index: job, version: jobs.version(job),
            kind: record.kind)
        exportQueues[queue].jobs.insert(entry, &steps)
        // Some worker may have to be found for it again.
        laneQueues[tenantQueues[exportQueues[queue].parent].parent].checkedAt = -1
        if exportQueues[queue].jobs.isMostlyStale(live: exportQueues[queue].count) {
            let live = exportQueues[queue].jobs.entries.filter { isLive($0) }
            exportQueues[queue].jobs.replace(with: live, &steps)
        }
        if !exportQueues[queue].isListed { list(exportQueue: queue) }
    }

    func isLive(_ entry: JobEntry) -> Bool { jobs.version(entry.index) == entry.version && jobs[entry.index].state == .queued }

    /// Sets a job aside until no other job for its artifact is in flight.
    mutating func hold(_ job: Int32) {
        let key = tenantKey(job)
        guard let first = keysInFlight[key]?.held else { return }
        jobs.touch(job)
        jobs[job].state = .held
        jobs[job].nextHeld = first
        if first != none { jobs[first].previousHeld = job }
        keysInFlight[key]?.held = job
    }

    private mutating func unhold(_ job: Int32) {
        let record = jobs[job]
        if record.previousHeld != none {
            jobs[record.previousHeld].nextHeld = record.nextHeld
        } else {
            keysInFlight[tenantKey(job)]?.held = record.nextHeld
        }
        if record.nextHeld != none { jobs[record.nextHeld].previousHeld = record.previousHeld }
        jobs[job].previousHeld = none
        jobs[job].nextHeld = none
    }

    /// Takes a job out of its queue.
    mutating func leaveQueue(_ job: Int32) {
        let queue = jobs[job].queue
        jobs[job].queue = none
        jobs.touch(job)
        let parent = exportQueues[queue].parent
        exportQueues[queue].count -= 1
        if exportQueues[queue].count == 0 { removeExportQueue(queue) }
        count(-1, in: parent)
    }

    /// The queue of a lane that a job belongs to.
    private mutating func laneQueue(for job: Int32) -> Int32 {
        let lane = lane(of: jobs[job].export, jobs[job].kind)
        let key = SizeKey(size: jobs[job].size, isLong: jobs[job].isLong)
        guard let excluded = restrictions[job] else {
            if let known = lanes[lane].queues[key] { return known }
            let queue = laneQueues.insert(
                LaneQueue(lane: lane, isLong: key.isLong, size: key.size, excludedWorkers: []))
            lanes[lane].queues[key] = queue
            return queue
        }
        let restriction = Restriction(lane: lane, size: key, excludedWorkers: excluded)
        if let known = restrictedQueues[restriction] { return known }
        let queue = laneQueues.insert(
            LaneQueue(lane: lane, isLong: key.isLong, size: key.size, excludedWorkers: excluded))
        restrictedQueues[restriction] = queue
        return queue
    }

    private mutating func addExportQueue(_ export: Int32, in laneQueue: Int32) -> Int32 {
        let parent = tenantQueue(for: export, in: laneQueue)
        let queue = exportQueues.insert(ExportQueue(export: export, parent: parent))
        exports[export].queues.append(queue)
        return queue
    }

    private mutating func removeExportQueue(_ queue: Int32) {
        let (export, parent) = (exportQueues[queue].export, exportQueues[queue].parent)
        if exportQueues[queue].isListed { tenantQueues[parent].listed -= 1 }
        exports[export].queues.removeAll { $0 == queue }
        exportQueues.remove(queue, leaving: ExportQueue(export: none, parent: none))
    }

    /// The queue of an export's tenant, or of the urgent exports, in a queue of a lane.
    private mutating func tenantQueue(for export: Int32, in laneQueue: Int32) -> Int32 {
        let lane = laneQueues[laneQueue].lane
        if exports[export].isUrgent {
            if laneQueues[laneQueue].urgent == none {
                laneQueues[laneQueue].urgent = tenantQueues.insert(TenantQueue(lane: lane, parent: laneQueue, account: none))
            }
            return laneQueues[laneQueue].urgent
        }
        let account = exports[export].account
        if let known = laneQueues[laneQueue].queues[account] { return known }
        let queue = tenantQueues.insert(TenantQueue(lane: lane, parent: laneQueue, account: account))
        laneQueues[laneQueue].queues[account] = queue
        accounts[account].queues.append(queue)
        return queue
    }

    /// Adds to the number of jobs of a tenant's queue, or takes from it. The queue is removed with its last job.
    private mutating func count(_ change: Int, in queue: Int32) {
        let (laneQueue, account) = (tenantQueues[queue].parent, tenantQueues[queue].account)
        tenantQueues[queue].count += change
        if laneQueues[laneQueue].count == 0 { active.append(laneQueue) }
        laneQueues[laneQueue].count += change
        if account != none { compete(account, in: tenantQueues[queue].lane, change) }
        if tenantQueues[queue].count == 0 { removeTenantQueue(queue) }
        if laneQueues[laneQueue].count == 0 { removeLaneQueue(laneQueue) }
    }

    private mutating func removeTenantQueue(_ queue: Int32) {
        let (laneQueue, account) = (tenantQueues[queue].parent, tenantQueues[queue].account)
        if account == none {
            laneQueues[laneQueue].urgent = none
        } else {
            if tenantQueues[queue].isListed { laneQueues[laneQueue].listed -= 1 }
            laneQueues[laneQueue].queues[account] = nil
            accounts[account].queues.removeAll { $0 == queue }
        }
        tenantQueues.remove(queue, leaving: TenantQueue(lane: none, parent: none, account: none))
    }

    private mutating func removeLaneQueue(_ queue: Int32) {
        active.removeAll { $0 == queue }
        let record = laneQueues[queue]
        let key = SizeKey(size: record.size, isLong: record.isLong)
        if record.excludedWorkers.isEmpty {
            lanes[record.lane].queues[key] = nil
        } else {
            restrictedQueues[Restriction(lane: record.lane, size: key, excludedWorkers: record.excludedWorkers)] = nil
        }
        laneQueues.remove(queue, leaving: LaneQueue(lane: none, isLong: false, size: 0, excludedWorkers: []))
    }

    /// Moves an export's queue between its tenant's and the urgent exports' queue of the same lane.
    mutating func move(_ queue: Int32) {
        let old = exportQueues[queue].parent
        let jobs = exportQueues[queue].count
        let new = tenantQueue(for: exportQueues[queue].export, in: tenantQueues[old].parent)
        guard new != old else { return }
        if exportQueues[queue].isListed { tenantQueues[old].listed -= 1 }
        exportQueues[queue].isListed = false
        exportQueues[queue].parent = new
        count(jobs, in: new)
        count(-jobs, in: old)
        list(exportQueue: queue)
    }

    // MARK: Entries of heaps

    /// Enters an export's queue into the heap of its tenant, in place of its earlier entry.
    private mutating func list(exportQueue queue: Int32) {
        let parent = exportQueues[queue].parent
        if !exportQueues[queue].isListed {
            exportQueues[queue].isListed = true
            tenantQueues[parent].listed += 1
        }
        let entry = ExportEntry(
            order: order(exportQueues[queue].export), index: queue, version: exportQueues.touch(queue))
        tenantQueues[parent].exports.insert(entry, &steps)
        if tenantQueues[parent].exports.isMostlyStale(live: tenantQueues[parent].listed) {
            let live = tenantQueues[parent].exports.entries.filter { exportQueues.version($0.index) == $0.version }
            tenantQueues[parent].exports.replace(with: live, &steps)
        }
        if tenantQueues[parent].account != none, !tenantQueues[parent].isListed { list(tenantQueue: parent) }
    }

    /// Enters the queues of an export again, because one of its sort keys has changed.
    mutating func listAgain(export: Int32) {
        for queue in exports[export].queues where exportQueues[queue].isListed { list(exportQueue: queue) }
    }

    private mutating func list(tenantQueue queue: Int32) {
        let laneQueue = tenantQueues[queue].parent
        let account = tenantQueues[queue].account
        if !tenantQueues[queue].isListed {
            tenantQueues[queue].isListed = true
            laneQueues[laneQueue].listed += 1
        }
        let entry = TenantEntry(
            virtualTime: accounts[account].virtualTime, tenant: tenants[accounts[account].tenant].id, index: queue,
            version: tenantQueues.touch(queue))
        laneQueues[laneQueue].tenants.insert(entry, &steps)
        if laneQueues[laneQueue].tenants.isMostlyStale(live: laneQueues[laneQueue].listed) {
            let live = laneQueues[laneQueue].tenants.entries.filter { tenantQueues.version($0.index) == $0.version }
            laneQueues[laneQueue].tenants.replace(with: live, &steps)
        }
    }

    /// Enters the queues of a tenant again, because its virtual time has changed.
    mutating func listAgain(account: Int32) {
        for queue in accounts[account].queues where tenantQueues[queue].isListed { list(tenantQueue: queue) }
    }

    /// Takes an export's queue without queued jobs off its tenant's heap, where its entry was removed.
    mutating func unlist(exportQueue queue: Int32) {
        exportQueues[queue].isListed = false
        tenantQueues[exportQueues[queue].parent].listed -= 1
    }

    /// Takes a tenant's queue without queued jobs off the heap of its lane, where its entry was removed.
    mutating func unlist(tenantQueue queue: Int32) {
        tenantQueues[queue].isListed = false
        laneQueues[tenantQueues[queue].parent].listed -= 1
    }
}
