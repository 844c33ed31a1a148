import ExportPlan
import FarmAPI

/// How many slots jobs take, and which workers they are sent to by name because of that.
///
/// A job that takes one slot at every worker of its lane is narrow: any worker may take it. Any other job is sent by name,
/// because its lane's queue cannot keep a worker from taking it that has too few free slots.
extension Scheduler {
    /// More slots than any worker has. A worker that says more counts with these.
    package static let mostSlots = 4096

    /// The place of a demand in `sizes`.
    mutating func size(of demand: JobDemand) -> Int32 {
        if let known = sizeIndex[demand] { return known }
        sizes.append(demand)
        sizeIndex[demand] = Int32(sizes.count - 1)
        return Int32(sizes.count - 1)
    }

    func width(of size: Int32, at worker: Int32) -> Int { workers[worker].capacity.width(of: sizes[Int(size)]) }

    /// Whether every worker of the lane may take the jobs of a queue.
    mutating func isForAnyWorker(_ queue: Int32) -> Bool {
        guard laneQueues[queue].excludedWorkers.isEmpty else { return false }
        let lane = laneQueues[queue].lane
        if laneQueues[queue].narrowAt != lanes[lane].workersVersion {
            let size = laneQueues[queue].size
            steps += lanes[lane].workers.count
            laneQueues[queue].isNarrow = lanes[lane].workers.allSatisfy { width(of: size, at: $0) == 1 }
            laneQueues[queue].narrowAt = lanes[lane].workersVersion
        }
        return laneQueues[queue].isNarrow
    }

    // MARK: The worker for a job

    /// A worker that a job may be sent to, with what speaks for it.
    private struct Choice {
        var worker: Int32
        /// Whether the job fits into its free slots now. Otherwise the worker takes no other jobs until it does.
        var fits: Bool
        /// The fewer of the farm's slots the job takes, the better.
        var width: Int
        /// Where the job does not fit yet, the slots of wide jobs, which it may have to wait for.
        var wide: Int
        var free: Int
        var id: String

        func isBetter(than other: Choice) -> Bool {
            if fits != other.fits { return fits }
            if width != other.width { return width < other.width }
            if wide != other.wide { return wide < other.wide }
            return free != other.free ? free > other.free : id < other.id
        }
    }

    /// Whether some worker may be sent a job of a queue now.
    mutating func hasWorker(for queue: Int32) -> Bool {
        let (lane, size, excluded) = (laneQueues[queue].lane, laneQueues[queue].size, laneQueues[queue].excludedWorkers)
        guard !excluded.isEmpty else { return bestWorker(for: queue) != none }
        for worker in lanes[lane].workers {
            steps += 1
            if choice(worker, size) != nil, !excluded.contains(workers[worker].id) { return true }
        }
        return false
    }

    /// The worker that a job of a queue is sent to by name; `none` where no worker may be sent it now.
    ///
    /// A job of one slot goes to a worker with a free slot; on a large farm a worker may be sent a quarter more than its
    /// slots and at least one, because a worker that takes the next ticket at once never shows a free slot. A wide job
    /// goes to a worker whose slots are enough for all wide jobs that it has. It may have to wait there for narrow ones,
    /// whose number would otherwise never fall. It is not sent where it would wait for other wide ones, because another
    /// worker may be free before, unless a later job would pass it (`workerAhead`).
    mutating func bestWorker(for queue: Int32) -> Int32 {
        let (lane, size, excluded) = (laneQueues[queue].lane, laneQueues[queue].size, laneQueues[queue].excludedWorkers)
        var best: Choice?
        func consider(_ found: Choice?) {
            guard let found else { return }
            if best.map({ found.isBetter(than: $0) }) ?? true { best = found }
        }
        guard excluded.isEmpty else {
            for worker in lanes[lane].workers where !excluded.contains(workers[worker].id) {
                steps += 1
                consider(choice(worker, size))
            }
            return best?.worker ?? none
        }
        for group in lanes[lane].groups {
            steps += 1
            enterChanged(group)
            // Where the worker with the most free slots has too few, no other has enough.
            let freest = firstByFree(group)
            guard freest != none else { continue }
            let found = choice(freest, size)
            consider(found)
            guard found?.fits != true, width(of: size, at: freest) > 1 else { continue }
            let leastWide = firstByWide(group)
            consider(choice(leastWide, size))
        }
        return best?.worker ?? none
    }

    /// Whether some worker that takes jobs serves both lanes.
    func shareWorkers(_ left: Int32, _ right: Int32) -> Bool {
        left == right || lanes[left].groups.contains { lanes[right].groups.contains($0) }
    }

    /// The worker that a wide job is sent to although it has to wait there for other wide ones: the one where it takes the
    /// fewest slots, then where these take the fewest. `none` where a job waits like this at every worker.
    mutating func workerAhead(for queue: Int32) -> Int32 {
        let (lane, size, excluded) = (laneQueues[queue].lane, laneQueues[queue].size, laneQueues[queue].excludedWorkers)
        var best: Choice?
        func consider(_ worker: Int32) {
            let record = workers[worker]
            let found = Choice(
                worker: worker, fits: false, width: width(of: size, at: worker), wide: record.takenByWide,
                free: record.slots - record.taken, id: record.id)
            guard record.takesJobs, record.slots > 0, found.width > 1, record.takenByWide <= record.slots else { return }
            if best.map({ found.isBetter(than: $0) }) ?? true { best = found }
        }
        guard excluded.isEmpty else {
            steps += lanes[lane].workers.count
            for worker in lanes[lane].workers where !excluded.contains(workers[worker].id) { consider(worker) }
            return best?.worker ?? none
        }
        for group in lanes[lane].groups {
            steps += 1
            enterChanged(group)
            let worker = firstByWide(group)
            if worker != none { consider(worker) }
        }
        return best?.worker ?? none
    }

    /// - Returns: nil where the worker may not be sent a job of this size now.
    private func choice(_ worker: Int32, _ size: Int32) -> Choice? {
        let record = workers[worker]
        guard record.takesJobs, record.slots > 0 else { return nil }
        let (width, free) = (width(of: size, at: worker), record.slots - record.taken)
        let fits = width <= free
        if !fits, width == 1 {
            let ahead = farmSlots >= SlotRoom.largeFarm ? max(1, record.slots / 4) : 0
            guard free + ahead > 0 else { return nil }
        } else if !fits {
            guard record.takenByWide + width <= record.slots else { return nil }
        }
        return Choice(
            worker: worker, fits: fits, width: width, wide: fits ? 0 : record.takenByWide, free: free, id: record.id)
    }

    // MARK: Groups of workers

    /// Notes that what a worker has, or its capacity, has changed.
    mutating func noteChange(of worker: Int32) {
        let group = workers[worker].group
        guard group != none, !workers[worker].isChanged else { return }
        workers[worker].isChanged = true
        groups[group].changed.append(worker)
    }

    /// Moves a worker to the group of its lanes and capacity, or to none where it takes no jobs.
    mutating func regroup(_ worker: Int32) {
        let (old, record) = (workers[worker].group, workers[worker])
        workers.touch(worker)
        workers[worker].isChanged = false
        workers[worker].group = none
        if record.takesJobs, record.slots > 0, !record.lanes.isEmpty {
            let key = WorkerGroupKey(lanes: record.lanes.sorted(), capacity: record.capacity)
            let group = groupIndex[key] ?? addGroup(key)
            groups[group].members += 1
            workers[worker].group = group
        }
        if old != none {
            groups[old].members -= 1
            if groups[old].members == 0 { removeGroup(old) }
        }
        noteChange(of: worker)
    }

    private mutating func addGroup(_ key: WorkerGroupKey) -> Int32 {
        let group = groups.insert(WorkerGroup(key: key))
        groupIndex[key] = group
        for lane in key.lanes { lanes[lane].groups.append(group) }
        return group
    }

    private mutating func removeGroup(_ group: Int32) {
        let key = groups[group].key
        groupIndex[key] = nil
        for lane in key.lanes { lanes[lane].groups.removeAll { $0 == group } }
        groups.remove(group, leaving: WorkerGroup(key: WorkerGroupKey(lanes: [], capacity: WorkerCapacity(slots: 0))))
    }

    /// Enters the workers of a group again that have changed.
    private mutating func enterChanged(_ group: Int32) {
        let changed = groups[group].changed
        guard !changed.isEmpty else { return }
        groups[group].changed = []
        for worker in changed where workers[worker].group == group && workers[worker].isChanged {
            workers[worker].isChanged = false
            workers.touch(worker)
            let entries = entries(of: worker)
            groups[group].byFree.insert(entries.byFree, &steps)
            groups[group].byWide.insert(entries.byWide, &steps)
        }
        if groups[group].byFree.isMostlyStale(live: groups[group].members) {
            let live = groups[group].byFree.entries.filter { workers.version($0.index) == $0.version }
            groups[group].byFree.replace(with: live, &steps)
        }
        if groups[group].byWide.isMostlyStale(live: groups[group].members) {
            let live = groups[group].byWide.entries.filter { workers.version($0.index) == $0.version }
            groups[group].byWide.replace(with: live, &steps)
        }
    }

    private func entries(of worker: Int32) -> (byFree: WorkerEntry, byWide: WorkerEntry) {
        let (record, version) = (workers[worker], workers.version(worker))
        func entry(_ least: Int) -> WorkerEntry {
            WorkerEntry(least: least, taken: record.taken, worker: record.id, index: worker, version: version)
        }
        return (entry(record.taken), entry(record.takenByWide))
    }

    /// The first worker of a group in the order of one of its heaps. Stale entries that stand before it are removed.
    private mutating func firstByFree(_ group: Int32) -> Int32 {
        while let first = groups[group].byFree.min, workers.version(first.index) != first.version {
            groups[group].byFree.removeMin(&steps)
        }
        return groups[group].byFree.min?.index ?? none
    }

    private mutating func firstByWide(_ group: Int32) -> Int32 {
        while let first = groups[group].byWide.min, workers.version(first.index) != first.version {
            groups[group].byWide.removeMin(&steps)
        }
        return groups[group].byWide.min?.index ?? none
    }
}
