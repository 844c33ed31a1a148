/// The bounds of a cache.
package struct CacheLimits: Hashable, Sendable {
    /// How many values are kept, at least 1.
    package var count: Int
    /// How many bytes the values have together.
    package var byteCount: Int

    package init(count: Int, byteCount: Int) {
        self.count = count
        self.byteCount = byteCount
    }
}

/// Values by key, within bounds. Where there is no more room, the values that were not used for longest are forgotten.
///
/// `RedisJobQueue` keeps in two of them what it knows of sources, so that a source that many tickets name is neither
/// encoded nor fetched for each of them.
package struct RecentValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        var value: Value
        var byteCount: Int
        var lastUse: Int
    }

    private let limits: CacheLimits
    private var entries: [Key: Entry] = [:]
    private var uses = 0
    /// The bytes of all values together.
    package private(set) var byteCount = 0

    package init(_ limits: CacheLimits) {
        self.limits = limits
    }

    /// How many values are kept.
    package var count: Int { entries.count }

    /// The value under a key, which is used with this; nil where none is kept.
    package mutating func value(of key: Key) -> Value? {
        // The key is compared once, because comparing two references may take long.
        guard let index = entries.index(forKey: key) else { return nil }
        uses += 1
        entries.values[index].lastUse = uses
        return entries.values[index].value
    }

    /// Adds a value, or replaces the one under the same key. A value that alone has more bytes than the limit is not
    /// kept.
    package mutating func add(_ value: Value, as key: Key, byteCount: Int) {
        remove(key)
        guard byteCount <= limits.byteCount else { return }
        uses += 1
        entries[key] = Entry(value: value, byteCount: byteCount, lastUse: uses)
        self.byteCount += byteCount
        if entries.count > limits.count || self.byteCount > limits.byteCount { makeRoom() }
    }

    /// Forgets the values that were not used for longest, but not the last. Some more room is made than is needed, so
    /// that sorting is rare.
    private mutating func makeRoom() {
        let count = limits.count - limits.count / 8
        let byteCount = limits.byteCount - limits.byteCount / 8
        for (oldest, _) in entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }).dropLast() {
            guard entries.count > count || self.byteCount > byteCount else { break }
            remove(oldest)
        }
    }

    private mutating func remove(_ key: Key) {
        guard let entry = entries.removeValue(forKey: key) else { return }
        byteCount -= entry.byteCount
    }
}
