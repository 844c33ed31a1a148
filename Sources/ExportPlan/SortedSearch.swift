extension RandomAccessCollection where Index == Int {
    /// The first index for which a condition holds that holds for all behind it, too; nil where there is none.
    func firstSortedIndex(where holds: (Element) -> Bool) -> Int? {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low < endIndex ? low : nil
    }

    /// The last index for which a condition holds that holds for all before it, too; nil where there is none.
    func lastSortedIndex(where holds: (Element) -> Bool) -> Int? {
        let next = firstSortedIndex { !holds($0) } ?? endIndex
        return next > startIndex ? next - 1 : nil
    }
}
