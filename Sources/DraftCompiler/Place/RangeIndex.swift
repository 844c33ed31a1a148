/// An interval tree: finds the ranges that overlap a given one. The time depends mostly on the number of ranges found
/// and hardly on the number of all ranges. It is a tree of the ranges' ends, in the order of their starts.
struct RangeIndex<Bound: Comparable> {
    /// The indices of the ranges in the order of their starts. Empty ranges overlap nothing and are left out.
    private let order: [Int]
    private let starts: [Bound]
    /// Node `n` holds the highest end below it. Its children are `2n` and `2n + 1`, and the leaves begin at `leaves`.
    private var highest: [Bound?]
    private let leaves: Int

    init(_ ranges: [(start: Bound, end: Bound)]) {
        order = ranges.indices.filter { ranges[$0].start < ranges[$0].end }.sorted { ranges[$0].start < ranges[$1].start }
        starts = order.map { ranges[$0].start }
        var leaves = 1
        while leaves < order.count { leaves *= 2 }
        self.leaves = leaves
        highest = Array(repeating: nil, count: 2 * leaves)
        for (leaf, place) in order.enumerated() { highest[leaves + leaf] = ranges[place].end }
        for node in stride(from: leaves - 1, to: 0, by: -1) {
            let (left, right) = (highest[2 * node], highest[2 * node + 1])
            highest[node] = left.map { left in right.map { max(left, $0) } ?? left } ?? right
        }
    }

    /// The indices of the ranges that overlap this one, in ascending order.
    func indices(from start: Bound, to end: Bound) -> [Int] {
        let count = starts.firstIndexSorted { $0 >= end }
        guard count > 0, start < end else { return [] }
        var found: [Int] = []
        collect(1, 0, leaves, count, start, &found)
        return found.sorted()
    }

    /// Whether any range overlaps this one.
    func overlaps(from start: Bound, to end: Bound) -> Bool {
        let count = starts.firstIndexSorted { $0 >= end }
        var (node, first, size) = (1, 0, leaves)
        // Looks for the highest end among the first `count` ranges: in whole subtrees on the left and along the path
        // between.
        while size >= 1, count > first {
            if count >= first + size || size == 1 { return highest[node].map { $0 > start } ?? false }
            if let left = highest[2 * node], left > start, count >= first + size / 2 { return true }
            if count <= first + size / 2 {
                node *= 2
            } else {
                node = 2 * node + 1
                first += size / 2
            }
            size /= 2
        }
        return false
    }

    private func collect(_ node: Int, _ first: Int, _ size: Int, _ count: Int, _ start: Bound, _ found: inout [Int]) {
        guard first < count, let highest = highest[node], highest > start else { return }
        guard size > 1 else { return found.append(order[first]) }
        collect(2 * node, first, size / 2, count, start, &found)
        collect(2 * node + 1, first + size / 2, size / 2, count, start, &found)
    }
}

extension RandomAccessCollection where Index == Int {
    /// The index of the first element for which the condition holds, or the end index. The condition must then hold for
    /// all later elements.
    func firstIndexSorted(_ holds: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
