package import FoundationEssentials

/// The choice of the next job.
extension Scheduler {
    /// Decides what is sent now. It ends when there is no room, or no job that may go where there is room.
    package mutating func dispatch(at time: Date) -> SchedulerDecisions {
        now = max(now, time.timeIntervalSince1970)
        releaseDue()
        endLateKeeping()
        var decisions = SchedulerDecisions()
        reportWithoutWorker(&decisions)
        while let (next, worker, isByChoice) = best() {
            let isExpress = worker == none && isExpress(next)
            jobs[next].width = worker == none ? 1 : Int32(width(of: jobs[next].size, at: worker))
            begin(next)
            leaveQueue(next)
            charge(next)
            depart(next)
            if worker != none { join(next, worker: worker) }
            if isByChoice { beginChoice(next) }
            decisions.dispatches.append(
                SchedulerDecisions.Dispatch(
                    job: jobs[next].id, worker: worker == none ? nil : workers[worker].id, isExpress: isExpress))
        }
        return decisions
    }

    // MARK: Over all lanes

    /// The best job of all lanes that have room, with the worker that it is sent to by name; `none` for its lane.
    ///
    /// A wide job for which no worker has enough slots does not wait while a later one that takes fewer slots is sent: as
    /// those end one by one, enough slots for it would never be free at the same time. It is then sent ahead, to a worker
    /// that takes no other wide jobs until this one has begun.
    private mutating func best() -> (job: Int32, worker: Int32, isByChoice: Bool)? {
        var first: Candidate?
        var firstWide: Candidate?
        var firstBlocked: Candidate?
        for queue in active {
            steps += 1
            let lane = laneQueues[queue].lane
            let isLong = laneQueues[queue].isLong
            guard isOpen(lane) else { continue }
            let hasRoom = hasRoom(lanes[lane], isLong: isLong, isFirstUrgent: false)
            let mayHaveFirst = laneQueues[queue].urgent != none
            guard hasRoom || mayHaveFirst && self.hasRoom(lanes[lane], isLong: isLong, isFirstUrgent: true) else { continue }
            let isWide = !isForAnyWorker(queue)
            let hasWorker = hasFreeWorker(queue)
            guard hasWorker || isWide, let job = head(queue), hasRoom || isFirstUrgent(job) else { continue }
            let candidate = candidate(job, lane, queue)
            if !hasWorker {
                firstBlocked = Candidate.first(firstBlocked, candidate)
            } else {
                if isWide { firstWide = Candidate.first(firstWide, candidate) }
                first = Candidate.first(first, candidate)
            }
        }
        if let blocked = firstBlocked, let wide = firstWide, let first, blocked < wide, !(first < blocked),
            shareWorkers(laneQueues[blocked.queue].lane, laneQueues[wide.queue].lane)
        {
            let worker = workerAhead(for: blocked.queue)
            if worker != none { return (blocked.entry.index, worker, false) }
        }
        return first.map { first in
            let job = first.entry.index
            guard isForAnyWorker(first.queue) else { return (job, bestWorker(for: first.queue), false) }
            let worker = isExpress(job) ? none : workerWithSource(for: job)
            return (job, worker, worker != none)
        }
    }

    /// Whether a ticket overtakes those that wait in its lane: where its export is urgent, or where nothing of its tenant
    /// is in flight in the pool, so that the tenant begins within one segment.
    private func isExpress(_ job: Int32) -> Bool {
        let export = jobs[job].export
        let lane = lanes[lane(of: export, jobs[job].kind)]
        guard lane.unclaimed > 0, lane.workersWithoutExpress == 0 else { return false }
        return exports[export].isUrgent || accounts[exports[export].account].inFlight == 0
    }

    private func isFirstUrgent(_ job: Int32) -> Bool {
        exports[jobs[job].export].isUrgent && exports[jobs[job].export].inFlight == 0
    }

    /// The first job of a queue of a lane, with all sort keys, to be compared with those of other queues.
    private struct Candidate {
        var isUrgent: Bool
        var order: ExportOrder
        /// How much of its slots the pool uses, as a fraction.
        var poolJobs: Int
        var poolSlots: Int
        var pool: String
        var tenant: TenantEntry
        var entry: JobEntry
        /// The queue of the lane that it is first in.
        var queue: Int32

        static func first(_ left: Candidate?, _ right: Candidate) -> Candidate {
            left.map { right < $0 ? right : $0 } ?? right
        }

        static func < (left: Candidate, right: Candidate) -> Bool {
            if left.isUrgent != right.isUrgent { return left.isUrgent }
            if !left.isUrgent {
                if left.pool != right.pool {
                    let (first, second) = (left.poolJobs * right.poolSlots, right.poolJobs * left.poolSlots)
                    return first == second ? left.pool < right.pool : first < second
                }
                if left.tenant.tenant != right.tenant.tenant { return left.tenant < right.tenant }
            }
            if left.order != right.order { return left.order < right.order }
            return left.entry < right.entry
        }
    }

    private func candidate(_ job: Int32, _ lane: Int32, _ queue: Int32) -> Candidate {
        let record = jobs[job]
        let export = record.export
        let account = exports[export].account
        let pool = lanes[lane].pool
        return Candidate(
            isUrgent: exports[export].isUrgent, order: order(export), poolJobs: pools[pool].inFlight,
            poolSlots: pools[pool].slots, pool: pools[pool].name,
            tenant: TenantEntry(
                virtualTime: accounts[account].virtualTime, tenant: tenants[exports[export].tenant].id, index: none, version: 0),
            entry: JobEntry(
                cost: record.cost, id: record.id, ordinal: record.ordinal, index: job, version: 0, kind: record.kind),
            queue: queue)
    }

    // MARK: In one queue

    /// The first job in a queue of a lane. It drops stale entries, and holds jobs whose artifact is being made.
    private mutating func head(_ queue: Int32) -> Int32? {
        let urgent = laneQueues[queue].urgent
        if urgent != none, let job = head(tenantQueue: urgent) { return job }
        while let first = laneQueues[queue].tenants.min {
            if tenantQueues.version(first.index) == first.version {
                if let job = head(tenantQueue: first.index) { return job }
                unlist(tenantQueue: first.index)
                tenantQueues.touch(first.index)
            }
            laneQueues[queue].tenants.removeMin(&steps)
        }
        return nil
    }

    private mutating func head(tenantQueue queue: Int32) -> Int32? {
        while let first = tenantQueues[queue].exports.min {
            if exportQueues.version(first.index) == first.version {
                if let job = head(exportQueue: first.index) { return job }
                unlist(exportQueue: first.index)
                exportQueues.touch(first.index)
            }
            tenantQueues[queue].exports.removeMin(&steps)
        }
        return nil
    }

    private mutating func head(exportQueue queue: Int32) -> Int32? {
        while let first = exportQueues[queue].jobs.min {
            if isLive(first) {
                guard keysInFlight[tenantKey(first.index)] != nil else { return first.index }
                hold(first.index)
            }
            exportQueues[queue].jobs.removeMin(&steps)
        }
        return nil
    }

    // MARK: Workers by name

    /// Whether some worker may be sent a job of a queue.
    private mutating func hasFreeWorker(_ queue: Int32) -> Bool {
        guard !isForAnyWorker(queue) else { return true }
        guard laneQueues[queue].fullAt != freeVersion else { return false }
        if hasWorker(for: queue) { return true }
        laneQueues[queue].fullAt = freeVersion
        return false
    }

    /// Reports, and forgets, the jobs for which all workers of their lane are excluded. A job that only a paused or
    /// draining worker may take waits for that worker.
    private mutating func reportWithoutWorker(_ decisions: inout SchedulerDecisions) {
        guard !restrictedQueues.isEmpty else { return }
        for queue in active where !laneQueues[queue].excludedWorkers.isEmpty {
            steps += 1
            let (lane, excluded) = (laneQueues[queue].lane, laneQueues[queue].excludedWorkers)
            guard laneQueues[queue].checkedAt != lanes[lane].workersVersion, !pausedRoles.contains(lanes[lane].role) else {
                continue
            }
            laneQueues[queue].checkedAt = lanes[lane].workersVersion
            steps += lanes[lane].workers.count
            guard !lanes[lane].workers.isEmpty, lanes[lane].workers.allSatisfy({ excluded.contains(workers[$0].id) }) else {
                continue
            }
            let version = laneQueues.version(queue)
            while laneQueues.version(queue) == version, let job = head(queue) {
                decisions.withoutWorker.append(jobs[job].id)
                withdraw(job)
            }
        }
    }
}
