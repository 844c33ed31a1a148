package import ExactTime

/// The sound of a group layer: the sum of the sounds in it, which goes through filters, a pan and gains of its own.
///
/// A group that changes nothing is left out, and its sounds belong to the group around it.
package struct SoundGroup: Hashable, Sendable, Codable {
    /// When the group is heard, on the timeline.
    package var timeRange: TimeRange
    /// Gain curves that are multiplied with each other.
    package var gains: [GainCurve]
    /// Where it stands: a curve from 0 (left) over 1 (middle) to 2 (right); nil where it is not moved.
    package var pan: GainCurve?
    /// Filters before the pan and the gains, in order; nil where there are none.
    package var filters: [SoundFilter]?
    /// The number of the group around it, which is lower than its own; nil where there is none.
    package var parent: Int?

    package init(
        timeRange: TimeRange, gains: [GainCurve], pan: GainCurve? = nil, filters: [SoundFilter]? = nil, parent: Int? = nil
    ) {
        self.timeRange = timeRange
        self.gains = gains
        self.pan = pan
        self.filters = filters
        self.parent = parent
    }

    /// The same group, `offset` later.
    package func shifted(by offset: MediaTime) -> SoundGroup {
        SoundGroup(
            timeRange: timeRange.shifted(by: offset), gains: gains.map { $0.shifted(by: offset) }, pan: pan?.shifted(by: offset),
            filters: filters, parent: parent)
    }
}

extension [SoundGroup] {
    /// The outermost group with filters that a group is in or is itself; nil where there is none. Its sounds are heard from
    /// its own beginning, because filters remember what they have heard.
    /// - Parameter number: the number of the group; nil for a sound that is in no group.
    package func filteredGroup(around number: Int?) -> Int? {
        var (found, current) = (Int?.none, number)
        while let group = current {
            if self[group].filters != nil { found = group }
            current = self[group].parent
        }
        return found
    }
}
