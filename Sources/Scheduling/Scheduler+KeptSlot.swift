import ExportPlan

/// A slot that is kept free for a moment, so that a tenant's film begins within one segment.
///
/// A new film is probed first, and its segments are known only when that is reported and the film is compiled, which takes
/// some milliseconds. On a small farm another tenant's segment would take the probe's slot meanwhile, and the film would
/// wait for a slot a second time.
struct KeptSlot: Hashable, Sendable {
    /// How long the slot is kept, in seconds.
    static let time = 0.2

    /// Whom it is kept for, by the index of the account.
    var account: Int32
    var lane: Int32
    /// The end of that time, in seconds since 1970; nil before the first dispatch that sees it.
    var until: Double?
}

extension Scheduler {
    /// Keeps the slot of a probe that has ended, where its tenant has nothing else in the pool and the farm is small. No more
    /// than one slot is kept at a time.
    mutating func keepSlot(ofProbe job: Int32) {
        let export = jobs[job].export
        let (account, lane) = (exports[export].account, lane(of: export, .probe))
        guard kept == nil, farmSlots < SlotRoom.largeFarm, lanes[lane].isServed, !exports[export].isRemoved,
            accounts[account].inFlight == 0, accounts[account].competing == 0
        else { return }
        kept = KeptSlot(account: account, lane: lane)
        count(lane, SlotLoad(slots: 1))
    }

    /// Keeps a tenant's slot no longer, because its jobs are known now.
    mutating func endKeeping(for account: Int32) {
        if kept?.account == account { endKeeping() }
    }

    /// Ends the keeping of a slot after its time.
    mutating func endLateKeeping() {
        guard let slot = kept else { return }
        guard let until = slot.until else {
            kept?.until = now + KeptSlot.time
            return
        }
        if now >= until { endKeeping() }
    }

    private mutating func endKeeping() {
        guard let slot = kept else { return }
        kept = nil
        count(slot.lane, SlotLoad() - SlotLoad(slots: 1))
    }
}
