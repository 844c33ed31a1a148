import FarmAPI

/// Workers, and the lanes that they serve.
extension Scheduler {
    mutating func addPool(_ name: String) -> Int32 {
        let pool = pools.insert(PoolRecord(name: name, lanes: []))
        poolIndex[name] = pool
        for role in WorkerRole.allCases.sorted(by: { $0.position < $1.position }) {
            pools[pool].lanes.append(lanes.insert(LaneRecord(pool: pool, role: role)))
        }
        for worker in workerIndex.values where workers[worker].pools.contains(name) {
            rebuild(worker) { _ in }
        }
        return pool
    }

    /// Makes the record of a worker of which nothing is known but its id.
    mutating func addWorker(_ id: String) -> Int32 {
        let index = workers.insert(WorkerRecord(id: id))
        workerIndex[id] = index
        return index
    }

    mutating func setWorker(_ status: WorkerStatus) {
        let index = workerIndex[status.id] ?? addWorker(status.id)
        let takesJobs = !status.isDraining && status.pausedFor == nil
        var capacity = status.capacity
        capacity.slots = min(max(0, capacity.slots), Scheduler.mostSlots)
        let old = workers[index]
        let (roles, pools) = (Set(status.roles), Set(status.pools))
        guard
            !old.isKnown || old.takesJobs != takesJobs || old.capacity != capacity || old.roles != roles || old.pools != pools
                || old.readsExpress != (status.readsExpress == true)
        else { return }
        rebuild(index) { worker in
            worker.isKnown = true
            worker.takesJobs = takesJobs
            worker.readsExpress = status.readsExpress == true
            worker.capacity = capacity
            worker.roles = roles
            worker.pools = pools
        }
    }

    mutating func removeWorker(_ id: String) {
        guard let worker = workerIndex[id], workers[worker].isKnown else { return }
        forgetSources(of: worker)
        rebuild(worker) { old in
            var new = WorkerRecord(id: old.id)
            (new.taken, new.takenByWide, new.group) = (old.taken, old.takenByWide, old.group)
            new.waitingByChoice = old.waitingByChoice
            old = new
        }
        forgetWorkerIfGone(worker)
    }

    /// Forgets a worker that is gone and has no more jobs.
    mutating func forgetWorkerIfGone(_ worker: Int32) {
        guard !workers[worker].isKnown, workers[worker].taken == 0 else { return }
        let id = workers[worker].id
        workerIndex[id] = nil
        workers.remove(worker, leaving: WorkerRecord(id: id))
    }

    mutating func setPausedRoles(_ roles: Set<WorkerRole>) {
        let served = poolIndex.values.sorted().flatMap { pools[$0].lanes }.filter { lanes[$0].isServed }
        // Lanes open before others close, so that a tenant that goes on in another lane has not been away.
        for lane in served where pausedRoles.subtracting(roles).contains(lanes[lane].role) { setOpen(lane, true) }
        for lane in served where roles.subtracting(pausedRoles).contains(lanes[lane].role) { setOpen(lane, false) }
        pausedRoles = roles
    }

    /// Changes a worker, and with it the slots of the lanes that it served or serves now. It costs as much as these
    /// lanes have workers.
    private mutating func rebuild(_ worker: Int32, _ change: (inout WorkerRecord) -> Void) {
        let old = workers[worker]
        change(&workers[worker])
        let new = workers[worker]
        let served = new.pools.sorted().compactMap { poolIndex[$0] }.flatMap { pool in
            pools[pool].lanes.filter { new.roles.contains(lanes[$0].role) }
        }
        let (before, after) = (old.takesJobs ? old.slots : 0, new.takesJobs ? new.slots : 0)
        let touched = old.lanes + served.filter { !old.lanes.contains($0) }
        let wereServed = touched.map { lanes[$0].isServed }
        for lane in old.lanes {
            lanes[lane].workers.removeAll { $0 == worker }
            lanes[lane].slots -= before
            if !old.readsExpress { lanes[lane].workersWithoutExpress -= 1 }
        }
        for lane in served {
            lanes[lane].workers.append(worker)
            lanes[lane].slots += after
            if !new.readsExpress { lanes[lane].workersWithoutExpress += 1 }
        }
        for role in WorkerRole.allCases {
            roleSlots[role.position] += (new.roles.contains(role) ? after : 0) - (old.roles.contains(role) ? before : 0)
        }
        for pool in Set(old.lanes.map { lanes[$0].pool }) { pools[pool].slots -= before }
        for pool in Set(served.map { lanes[$0].pool }) { pools[pool].slots += after }
        farmSlots += after - before
        workers[worker].lanes = served
        regroup(worker)
        freeVersion += 1
        for lane in touched { lanes[lane].workersVersion += 1 }
        let flipped = zip(touched, wereServed).filter { lanes[$0].isServed != $1 }
        // Lanes open before others close, so that a tenant that goes on in another lane has not been away.
        for (lane, wasServed) in flipped.filter({ !$1 }) + flipped.filter({ $1 }) {
            // The jobs in flight of a lane that nobody serves take no room from others.
            let load = lanes[lane].load
            countServed(lanes[lane].role, wasServed ? SlotLoad() - load : load)
            if !pausedRoles.contains(lanes[lane].role) { setOpen(lane, !wasServed) }
        }
    }
}
