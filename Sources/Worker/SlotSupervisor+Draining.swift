import JobQueue

/// The beginning of a worker's end, and the way back from it.
///
/// While the request to drain can be taken back, slots without a job wait for those that have one. They end together, and
/// from then on it is too late.
extension SlotSupervisor {
    /// Takes no new jobs from now on.
    /// - Parameter canResume: whether this can be taken back. A worker that was asked otherwise before stays so.
    /// - Returns: the number of this time of draining.
    func beginDraining(canResume: Bool) -> Int {
        self.canResume = canResume && (!isDraining || self.canResume)
        isDraining = true
        drains += 1
        for id in fetching { running[id]?.stop(.drained) }
        statusChange.wake()
        return drains
    }

    /// Returns the deliveries that wait for a slot to the queue.
    func returnWaiting() async {
        let returned = slots.removeWaiting()
        wakeSlots()
        freeWaiters.wakeAll()
        await finish(returned, .returned)
    }

    /// Takes jobs again after a request to drain was taken back.
    /// - Returns: false where it is too late, or the worker does not drain.
    func endDraining() -> Bool {
        guard isDraining, canResume, !isClosed else { return false }
        isDraining = false
        canResume = false
        drains += 1
        wakeSlots()
        freeWaiters.wakeAll()
        statusChange.wake()
        return true
    }

    /// Begins the end of a worker that drains: from now on it is too late to take that back.
    /// - Parameter number: the time of draining that the caller belongs to.
    /// - Returns: false where that was taken back meanwhile.
    func beginEnd(ofDrain number: Int) -> Bool {
        guard number == drains else { return false }
        rememberEnd()
        return true
    }

    /// Whether a slot without a job ends now, in a worker that drains.
    func isSlotToEnd() -> Bool {
        guard canResume else { return true }
        guard isIdle else { return false }
        rememberEnd()
        return true
    }

    /// Waits until a worker that drains takes jobs again.
    /// - Returns: false where it does not.
    func isResumed() async -> Bool {
        while isDraining, canResume, !isClosed {
            await withCheckedContinuation { freeWaiters.add($0) }
        }
        return !isDraining && !isClosed
    }

    private func rememberEnd() {
        guard canResume else { return }
        canResume = false
        wakeSlots()
        freeWaiters.wakeAll()
        statusChange.wake()
    }
}
