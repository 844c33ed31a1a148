import FarmAPI
import Synchronization

/// Places that are taken and given back: so many in all, and so many for each holder, such as a tenant, a token or an address.
package final class Slots: Sendable {
    /// Why there is no place.
    package enum Refusal: Hashable, Sendable {
        /// The holder has as many as it may.
        case holder(limit: Int)
        /// All are taken.
        case all(limit: Int)
    }

    /// One place. It is given back when nobody holds it any more.
    package final class Slot: Sendable {
        private let slots: Slots
        private let holder: String

        fileprivate init(_ slots: Slots, _ holder: String) {
            self.slots = slots
            self.holder = holder
        }

        deinit { slots.release(holder) }
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

    /// - Returns: a place, or why there is none.
    package func take(_ holder: String) -> Result<Slot, Refused> {
        let refusal: Refusal? = state.withLock { state in
            let own = state.byHolder[holder] ?? 0
            if own >= limitPerHolder { return .holder(limit: limitPerHolder) }
            if state.taken >= limit { return .all(limit: limit) }
            state.taken += 1
            state.byHolder[holder] = own + 1
            return nil
        }
        return refusal.map { .failure(Refused(refusal: $0)) } ?? .success(Slot(self, holder))
    }

    package struct Refused: Error, Hashable {
        package var refusal: Refusal

        package init(refusal: Refusal) {
            self.refusal = refusal
        }
    }

    private func release(_ holder: String) {
        state.withLock { state in
            state.taken -= 1
            let own = (state.byHolder[holder] ?? 1) - 1
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
        case .failure(let refused):
            switch refused.refusal {
            case .holder(let limit):
                throw RequestFault(.tooManyRequests, "\(whose) may have \(limit) \(what) at a time; try again when one has ended")
            case .all(let limit):
                throw RequestFault(.unavailable, "the coordinator takes \(limit) \(what) at a time; try again in a moment")
            }
        }
    }
}
