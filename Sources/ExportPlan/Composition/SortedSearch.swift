extension RandomAccessCollection where Index == Int {
    /// The index of the first element that meets a condition which all later elements meet as well; nil where no
    /// element does.
    package func firstSortedIndex(where holds: (Element) -> Bool) -> Int? {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low < endIndex ? low : nil
    }

    /// The index of the last element that meets a condition which all earlier elements meet as well; nil where no
    /// element does.
    package func lastSortedIndex(where holds: (Element) -> Bool) -> Int? {
        let next = firstSortedIndex { !holds($0) } ?? endIndex
        return next > startIndex ? next - 1 : nil
    }
}
