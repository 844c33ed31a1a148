import FarmAPI
import Synchronization

/// Slots that are taken and given back, with a limit in all and a limit for each holder, such as a tenant, a token or
/// an address. A slot may stand for an upload, a connection, or a byte of memory.
package final class Slots: Sendable {
    /// Why no slot was given.
    package enum Refusal: Hashable, Sendable {
        /// The holder has reached its own limit.
        case holder(limit: Int)
        /// All slots are taken.
        case all(limit: Int)
    }

    /// One slot or several of one holder. They are given back when the last reference to this object goes.
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

        /// Takes more slots for the same holder.
        /// - Throws: `Refused` when there are not enough; then none is taken.
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

    /// - Parameter count: the number of slots; 0 for a holder whose number grows later.
    /// - Returns: the slots, or why there are not enough.
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
    /// A slot; a refusal is thrown as the request's answer.
    /// - Parameters:
    ///   - what: what there is too much of, such as `uploads`.
    ///   - whose: who has too much, such as `this tenant`.
    /// - Throws: `RequestFault` `tooManyRequests` when the holder has too much, `unavailable` when all have.
    func take(_ holder: String, what: String, whose: String) throws -> Slot {
        switch take(holder) {
        case .success(let slot): return slot
        case .failure(let refused): throw refused.fault(what: what, whose: whose)
        }
    }
}

extension Slots.Refused {
    /// The refusal as the answer to a request; the parameters are those of `Slots.take`.
    func fault(what: String, whose: String) -> RequestFault {
        switch refusal {
        case .holder(let limit):
            RequestFault(.tooManyRequests, "\(whose) may have \(limit) \(what) at a time; try again when one has ended")
        case .all(let limit):
            RequestFault(.unavailable, "the coordinator takes \(limit) \(what) at a time; try again in a moment")
        }
    }
}
