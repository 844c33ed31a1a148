import ExactTime
import ExportPlan

/// The sounds of a film and the groups that they are in, in whole output samples. `planAudioSegments` cuts it into segments.
///
/// A group with filters stays whole, with everything in it. Any other group is cut where the segments are.
struct SampledMix {
    private let inputs: [SampledInput]
    private let groups: [SoundGroup]
    private let sampleRate: Int
    /// The samples of each group.
    private let samples: [Range<Int>]
    /// The inputs that are in no group with filters.
    private let divisible: [Int]
    private let divisibleByTime: RangeIndex<Int>
    /// The outermost groups with filters.
    private let whole: [Int]
    private let wholeByTime: RangeIndex<Int>
    /// The inputs, and the groups, that are directly in each group.
    private let members: [(inputs: [Int], groups: [Int])]

    init(_ inputs: [SampledInput], _ groups: [SoundGroup], sampleRate: Int) {
        self.inputs = inputs
        self.groups = groups
        self.sampleRate = sampleRate
        let samples = groups.map { group in
            let start = group.timeRange.start.rounded(toRate: sampleRate)
            return start..<max(start, group.timeRange.end.rounded(toRate: sampleRate))
        }
        self.samples = samples
        let divisible = inputs.indices.filter { groups.filteredGroup(around: inputs[$0].input.group) == nil }
        self.divisible = divisible
        divisibleByTime = RangeIndex(divisible.map { (inputs[$0].samples.lowerBound, inputs[$0].samples.upperBound) })
        let whole = groups.indices.filter { groups.filteredGroup(around: $0) == $0 }
        self.whole = whole
        wholeByTime = RangeIndex(whole.map { (samples[$0].lowerBound, samples[$0].upperBound) })
        var members = [(inputs: [Int], groups: [Int])](repeating: ([], []), count: groups.count)
        for index in inputs.indices { if let group = inputs[index].input.group { members[group].inputs.append(index) } }
        for index in groups.indices { if let parent = groups[index].parent { members[parent].groups.append(index) } }
        self.members = members
    }

    /// The samples of everything that must not be cut.
    var wholeRanges: [Range<Int>] {
        divisible.map { inputs[$0] }.filter { !$0.isDivisible }.map(\.stretched) + whole.map { samples[$0] }
    }

    /// The samples of what has filters or is time-stretched, which takes longer than decoding.
    var filteredRanges: [Range<Int>] {
        divisible.map { inputs[$0] }.filter(\.input.isPlayedWhole).map(\.stretched) + whole.map { samples[$0] }
    }

    /// What a segment plays: inputs outside of groups, and groups; nil where there are none.
    func sliced(_ segment: Range<Int>) -> (inputs: [AudioSliceInput], groups: [AudioSliceGroup]?) {
        var heard = Heard()
        for place in divisibleByTime.indices(from: segment.lowerBound, to: segment.upperBound) {
            let index = divisible[place]
            heard.inputs[inputs[index].input.group, default: []].append(index)
            heard.add(inputs[index].input.group, groups)
        }
        for place in wholeByTime.indices(from: segment.lowerBound, to: segment.upperBound) {
            heard.add(whole[place], groups)
        }
        let direct = (heard.inputs[nil] ?? []).compactMap { inputs[$0].continued(in: segment, sampleRate: sampleRate) }
        let outer = heard.groups.filter { groups[$0].parent == nil }.sorted()
        return (direct, outer.isEmpty ? nil : outer.map { slicedGroup($0, segment, heard) })
    }

    /// The inputs and groups that a segment hears, without those in groups that stay whole.
    private struct Heard {
        /// By the group that they are directly in.
        var inputs: [Int?: [Int]] = [:]
        var groups: Set<Int> = []

        /// Adds a group and those around it.
        mutating func add(_ number: Int?, _ all: [SoundGroup]) {
            var number = number
            while let group = number, groups.insert(group).inserted { number = all[group].parent }
        }
    }

    /// A group that is cut where the segment is, or a whole one.
    private func slicedGroup(_ number: Int, _ segment: Range<Int>, _ heard: Heard) -> AudioSliceGroup {
        guard groups[number].filters == nil else { return wholeGroup(number, segment, needed: samples[number], heard: segment) }
        let inner = members[number].groups.filter { heard.groups.contains($0) }
        return group(
            number, segment, seen: samples[number].clamped(to: segment),
            inputs: (heard.inputs[number] ?? []).compactMap { inputs[$0].continued(in: segment, sampleRate: sampleRate) },
            groups: inner.map { slicedGroup($0, segment, heard) })
    }

    /// A group in which everything is heard from the beginning of the outermost group with filters.
    /// - Parameters:
    ///   - needed: the samples of that outermost group.
    ///   - heard: the samples in which the gains of this group matter.
    private func wholeGroup(
        _ number: Int, _ segment: Range<Int>, needed: Range<Int>, heard: Range<Int>
    ) -> AudioSliceGroup {
        var found = group(
            number, segment, seen: samples[number].clamped(to: heard),
            inputs: members[number].inputs.compactMap {
                inputs[$0].sliced(segment, needed: needed, isWhole: !inputs[$0].isDivisible, sampleRate: sampleRate)
            },
            groups: members[number].groups.map { wholeGroup($0, segment, needed: needed, heard: needed) })
        found.firstSample = samples[number].lowerBound - segment.lowerBound
        found.sampleCount = samples[number].count
        return found
    }

    /// - Parameter seen: the samples of the group that matter.
    private func group(
        _ number: Int, _ segment: Range<Int>, seen: Range<Int>, inputs: [AudioSliceInput], groups inner: [AudioSliceGroup]
    ) -> AudioSliceGroup {
        let range = TimeRange(
            from: MediaTime(index: seen.lowerBound, rate: sampleRate), to: MediaTime(index: seen.upperBound, rate: sampleRate))
        let start = MediaTime(index: segment.lowerBound, rate: sampleRate)
        let group = groups[number]
        return AudioSliceGroup(
            firstSample: seen.lowerBound - segment.lowerBound, sampleCount: seen.count,
            gains: group.gains.trimmed(to: range, shiftedBy: -start), pan: group.pan?.trimmedPan(to: range, shiftedBy: -start),
            filters: group.filters, inputs: inputs, groups: inner.isEmpty ? nil : inner)
    }
}
