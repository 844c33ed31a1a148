import HeapModule

/// A heap whose entries are removed lazily: an entry whose record has changed stays until it comes to the top or until
/// the heap is compacted. It counts the levels that its operations walk; tests hold the cost of a dispatch against that
/// number, because it is the same on every machine.
struct CountedHeap<Entry: Comparable & Sendable>: Sendable {
    private var heap = Heap<Entry>()

    var count: Int { heap.count }

    /// The least entry, live or stale.
    var min: Entry? { heap.min }

    /// All entries, in any order.
    var entries: [Entry] { heap.unordered }

    mutating func insert(_ entry: Entry, _ steps: inout Int) {
        heap.insert(entry)
        steps += levels
    }

    mutating func removeMin(_ steps: inout Int) {
        steps += levels
        _ = heap.popMin()
    }

    /// Whether most entries must be stale, so that compacting pays: the cost of it is spread over the insertions that
    /// made them so.
    func isMostlyStale(live: Int) -> Bool { heap.count > 2 * live + 32 }

    /// Keeps the live entries only.
    mutating func replace(with live: [Entry], _ steps: inout Int) {
        steps += heap.count
        heap = Heap(live)
    }

    private var levels: Int { Int.bitWidth - heap.count.leadingZeroBitCount }
}
