/// Waiting work, in one lane for each caller. Lanes take turns, and only a limited number of items of one lane is under
/// way at a time, so that a busy lane leaves room for the others. It is a plain value; `BlockingPool` holds one.
package struct LaneQueue<Item> {
    /// Why an item is refused.
    package enum Refusal: Hashable, Sendable {
        case laneIsFull, queueIsFull
    }

    /// Items that may wait, in all lanes together.
    package let limit: Int
    /// Items that may wait in one lane.
    package let laneLimit: Int
    /// Items of one lane that may be under way at a time.
    package let underWayPerLane: Int
    package private(set) var count = 0
    /// Items handed out since the beginning.
    package private(set) var taken = 0
    private var lanes: [Int64: [Item]] = [:]
    /// How many items of each lane are under way; lanes without any are left out.
    private var underWay: [Int64: Int] = [:]
    /// The lanes with waiting items; the lane whose turn it is comes first.
    private var turns: [Int64] = []

    package init(limit: Int, laneLimit: Int, underWayPerLane: Int = .max) {
        self.limit = limit
        self.laneLimit = laneLimit
        self.underWayPerLane = underWayPerLane
    }

    /// - Returns: nil when the item was accepted and waits now.
    package mutating func add(_ item: Item, lane: Int64) -> Refusal? {
        let waiting = lanes[lane]?.count ?? 0
        if waiting >= laneLimit { return .laneIsFull }
        if count >= limit { return .queueIsFull }
        if waiting == 0 { turns.append(lane) }
        lanes[lane, default: []].append(item)
        count += 1
        return nil
    }

    /// Takes the item whose turn it is, with its lane. The item is under way from now on, until `ended` is called.
    /// - Returns: nil when no item waits, or only items that have to wait for others of their lane.
    package mutating func next() -> (item: Item, lane: Int64)? {
        guard let turn = turns.firstIndex(where: { underWay[$0, default: 0] < underWayPerLane }) else { return nil }
        let lane = turns.remove(at: turn)
        guard var items = lanes.removeValue(forKey: lane), !items.isEmpty else { return nil }
        let item = items.removeFirst()
        count -= 1
        taken += 1
        underWay[lane, default: 0] += 1
        if !items.isEmpty {
            lanes[lane] = items
            turns.append(lane)
        }
        return (item, lane)
    }

    /// Records that an item of this lane is no longer under way.
    package mutating func ended(lane: Int64) {
        let others = underWay[lane, default: 1] - 1
        underWay[lane] = others > 0 ? others : nil
    }
}
