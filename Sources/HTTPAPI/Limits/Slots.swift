import FarmAPI
import Synchronization

/// Places that are taken and given back: so many in all, and so many for each holder, such as a tenant, a token or an address.
/// A place may be an upload or a connection, or a byte of memory.
package final class Slots: Sendable {
    /// Why there is no place.
    package enum Refusal: Hashable, Sendable {
        /// The holder has as many as it may.
        case holder(limit: Int)
        /// All are taken.
        case all(limit: Int)
    }

    /// One place or several of one holder. They are given back when nobody holds this any more.
    package final class Slot: Sendable {
        private let slots: Slots
        private let holder: String
        private let count: Mutex<Int>

        fileprivate init(_ slots: Slots, _ holder: String, _ count: Int) {
            self.slots = slots
            self.holder = holder
            self.count = Mutex(count)
        }

        deinit { slots.release(holder, count.withLock { $0 }) }

        /// Takes more places for the same holder.
        /// - Throws: `Refused` when there are not so many; none is taken then.
        package func grow(by more: Int) throws(Refused) {
            if let refusal = slots.occupy(holder, more) { throw Refused(refusal: refusal) }
            count.withLock { $0 += more }
        }
    }

    private struct State {
        var taken = 0
        var byHolder: [String: Int] = [:]
    }

    private let limit: Int
    private let limitPerHolder: Int
    private let state = Mutex(State())

    package init(_ limit: Int, perHolder: Int) {
        self.limit = limit
        limitPerHolder = perHolder
    }

    package var taken: Int { state.withLock { $0.taken } }

    /// - Parameter count: of places; 0 for a slot that grows later.
    /// - Returns: the places, or why there are not so many.
    package func take(_ holder: String, count: Int = 1) -> Result<Slot, Refused> {
        let refusal = occupy(holder, count)
        return refusal.map { .failure(Refused(refusal: $0)) } ?? .success(Slot(self, holder, count))
    }

    private func occupy(_ holder: String, _ count: Int) -> Refusal? {
        state.withLock { state in
            let own = state.byHolder[holder] ?? 0
            if count > limitPerHolder - own { return .holder(limit: limitPerHolder) }
            if count > limit - state.taken { return .all(limit: limit) }
            state.taken += count
            if own + count > 0 { state.byHolder[holder] = own + count }
            return nil
        }
    }

    package struct Refused: Error, Hashable {
        package var refusal: Refusal

        package init(refusal: Refusal) {
            self.refusal = refusal
        }
    }

    private func release(_ holder: String, _ count: Int) {
        state.withLock { state in
            state.taken -= count
            let own = (state.byHolder[holder] ?? count) - count
            state.byHolder[holder] = own > 0 ? own : nil
        }
    }
}

extension Slots {
    /// A place, or the refusal as an answer.
    /// - Parameters:
    ///   - what: what there is too much of, as in `uploads`.
    ///   - whose: who has too much, as in `this tenant`.
    /// - Throws: `RequestFault` `tooManyRequests` where the holder has too much, `unavailable` where all have.
    func take(_ holder: String, what: String, whose: String) throws -> Slot {
        switch take(holder) {
        case .success(let slot): return slot
        case .failure(let refused): throw refused.fault(what: what, whose: whose)
        }
    }
}

extension Slots.Refused {
    /// The refusal as an answer; the parameters are those of `Slots.take`.
    func fault(what: String, whose: String) -> RequestFault {
        switch refusal {
        case .holder(let limit):
            RequestFault(.tooManyRequests, "\(whose) may have \(limit) \(what) at a time; try again when one has ended")
        case .all(let limit):
            RequestFault(.unavailable, "the coordinator takes \(limit) \(what) at a time; try again in a moment")
        }
    }
}
