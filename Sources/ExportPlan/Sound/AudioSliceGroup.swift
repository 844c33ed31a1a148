/// A group of sounds inside a segment, in whole samples of the output rate: the sum of its inputs and groups, which goes
/// through its filters, its pan and its gains.
package struct AudioSliceGroup: Hashable, Sendable, Codable {
    /// The sample of the segment at which the group starts; below 0 where its filters have to hear what is before the
    /// segment.
    package var firstSample: Int
    package var sampleCount: Int
    /// Gain curves in segment time.
    package var gains: [GainCurve]
    /// Where it stands, in segment time: a curve from 0 (left) over 1 (middle) to 2 (right); nil where it is not moved.
    package var pan: GainCurve?
    /// Filters before the pan and the gains, in order; nil where there are none.
    package var filters: [SoundFilter]?
    /// The sounds in the group, with samples counted from the segment's first one.
    package var inputs: [AudioSliceInput]
    /// The groups in the group; nil where there are none.
    package var groups: [AudioSliceGroup]?

    package init(
        firstSample: Int, sampleCount: Int, gains: [GainCurve], pan: GainCurve? = nil, filters: [SoundFilter]? = nil,
        inputs: [AudioSliceInput], groups: [AudioSliceGroup]? = nil
    ) {
        self.firstSample = firstSample
        self.sampleCount = sampleCount
        self.gains = gains
        self.pan = pan
        self.filters = filters
        self.inputs = inputs
        self.groups = groups
    }

    /// The group and all groups in it.
    package var all: [AudioSliceGroup] { [self] + (groups ?? []).flatMap(\.all) }
}

extension AudioSlice {
    /// All groups, also those in groups.
    package var allGroups: [AudioSliceGroup] { (groups ?? []).flatMap(\.all) }

    /// All inputs: those that are heard directly, in groups, and by the side chain.
    package var allInputs: [AudioSliceInput] { inputs + allGroups.flatMap(\.inputs) + (sideChain?.inputs ?? []) }

    /// The content hashes of the files that the segment reads.
    package var sources: Set<String> {
        Set(
            allInputs.flatMap { [$0.source] + ($0.filters?.impulses ?? []) } + allGroups.flatMap { $0.filters?.impulses ?? [] })
    }

    /// The plug-ins that filter the segment's sounds.
    package var plugins: [SoundPlugin] {
        allInputs.flatMap { $0.filters?.plugins ?? [] } + allGroups.flatMap { $0.filters?.plugins ?? [] }
    }
}
