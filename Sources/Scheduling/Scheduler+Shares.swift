/// Fair shares as virtual time: start-time fair queueing (P. Goyal, H. M. Vin, H. Cheng, "Start-time fair queuing: a
/// scheduling algorithm for integrated services packet switching networks", SIGCOMM 1996), with slot-seconds for bits.
/// A tenant's virtual time in a pool grows by the predicted slot-seconds of each job (its seconds times its width), divided
/// by its share, and is corrected when the attempt ends. The tenant that is furthest behind goes next.
extension Scheduler {
    /// How far a tenant may be behind the virtual time of a lane: as much as it would be charged for having the whole
    /// lane for so many seconds. It is behind where its jobs could go to few slots only.
    package static let creditLimit = 60.0

    /// Charges the tenant of a job for it.
    mutating func charge(_ job: Int32) {
        let account = exports[jobs[job].export].account
        accounts[account].virtualTime += Double(jobs[job].cost) / 1e6 * Double(jobs[job].width) / share(account)
        listAgain(account: account)
    }

    /// Starts a job of an export that competes for its tenant's share: raises the virtual time of a tenant that is too
    /// far behind, and takes it for that of the lane and the pool.
    mutating func begin(_ job: Int32) {
        let export = jobs[job].export
        guard !exports[export].isUrgent else { return }
        let account = exports[export].account
        let lane = lane(of: export, jobs[job].kind)
        let limit = lanes[lane].start - Scheduler.creditLimit * Double(lanes[lane].slots) / share(account)
        let start = max(accounts[account].virtualTime, limit)
        accounts[account].virtualTime = start
        lanes[lane].start = start
        pools[lanes[lane].pool].start = start
    }

    /// Corrects what a tenant was charged for an attempt.
    /// - Parameter seconds: how many slot-seconds more it took than was charged.
    mutating func correct(_ account: Int32, by seconds: Double) {
        guard seconds.isFinite, seconds != 0 else { return }
        accounts[account].virtualTime += seconds / share(account)
        listAgain(account: account)
    }

    /// Counts due jobs of a tenant that are new in a lane, or have left it. A tenant that had none in any open lane of
    /// the pool begins at the present virtual time: it gets its share from now on, and nothing for the time before.
    mutating func compete(_ account: Int32, in lane: Int32, _ change: Int) {
        if lanes[lane].competing == 0 { lanes[lane].start = pools[lanes[lane].pool].start }
        lanes[lane].competing += change
        guard isOpen(lane) else { return }
        enter(account, lane, change)
    }

    private mutating func enter(_ account: Int32, _ lane: Int32, _ change: Int) {
        if accounts[account].competing == 0, accounts[account].virtualTime < lanes[lane].start {
            accounts[account].virtualTime = lanes[lane].start
            listAgain(account: account)
        }
        accounts[account].competing += change
    }

    /// A lane is open while a worker serves it and its role is not paused.
    func isOpen(_ lane: Int32) -> Bool { lanes[lane].isServed && !pausedRoles.contains(lanes[lane].role) }

    /// Lets the tenants of a lane that has opened compete, or those of one that has closed no longer.
    mutating func setOpen(_ lane: Int32, _ isOpen: Bool) {
        guard lanes[lane].competing > 0 else { return }
        if isOpen { lanes[lane].start = pools[lanes[lane].pool].start }
        for laneQueue in active where laneQueues[laneQueue].lane == lane {
            for (account, queue) in laneQueues[laneQueue].queues {
                enter(account, lane, isOpen ? tenantQueues[queue].count : -tenantQueues[queue].count)
            }
        }
    }

    private func share(_ account: Int32) -> Double { Double(tenants[accounts[account].tenant].share) }
}
