/// Work that waits, in one lane for each of those who asked for it: lanes take turns, so that one that asks for much delays
/// the others by one piece at most. A plain value; `BlockingPool` holds one.
package struct LaneQueue<Item> {
    /// Why an item is not taken.
    package enum Refusal: Hashable, Sendable {
        case laneIsFull, queueIsFull
    }

    /// Items that may wait, in all lanes together.
    package let limit: Int
    /// Items that may wait in one lane.
    package let laneLimit: Int
    package private(set) var count = 0
    /// Items handed out since the beginning.
    package private(set) var taken = 0
    private var lanes: [Int64: [Item]] = [:]
    /// The lanes in which something waits, the one whose turn it is first.
    private var turns: [Int64] = []

    package init(limit: Int, laneLimit: Int) {
        self.limit = limit
        self.laneLimit = laneLimit
    }

    /// - Returns: nil when the item waits now.
    package mutating func add(_ item: Item, lane: Int64) -> Refusal? {
        let waiting = lanes[lane]?.count ?? 0
        if waiting >= laneLimit { return .laneIsFull }
        if count >= limit { return .queueIsFull }
        if waiting == 0 { turns.append(lane) }
        lanes[lane, default: []].append(item)
        count += 1
        return nil
    }

    /// The item whose turn it is; nil when none waits.
    package mutating func next() -> Item? {
        guard !turns.isEmpty else { return nil }
        let lane = turns.removeFirst()
        guard var items = lanes.removeValue(forKey: lane), !items.isEmpty else { return nil }
        let item = items.removeFirst()
        count -= 1
        taken += 1
        if !items.isEmpty {
            lanes[lane] = items
            turns.append(lane)
        }
        return item
    }
}
