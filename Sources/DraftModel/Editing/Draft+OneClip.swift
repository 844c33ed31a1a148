extension Draft {
    /// The draft of one of its clips alone, with what the clip itself says: without the transition before it, and without
    /// effects, layers, audio clips and chapters, which belong to the whole film.
    /// - Parameter clip: the clip's id, or its index in the document's `mainTrackClips`.
    /// - Returns: nil if the draft has no such clip.
    package func alone(clip name: String) -> Draft? {
        let array = "mainTrackClips"
        let byIndex = Int(name).flatMap { number in
            mainTrackClips.indices.first { removed.written("\(array)[\($0)]") == "\(array)[\(number)]" }
        }
        guard let index = mainTrackClips.firstIndex(where: { $0.id == name }) ?? byIndex else { return nil }
        var draft = self
        draft.mainTrackClips = [mainTrackClips[index]]
        draft.mainTrackClips[0].transition = nil
        draft.removed = removed.removingAll(but: index, of: mainTrackClips.count, in: array)
        (draft.effects, draft.layers, draft.audioClips, draft.chapters, draft.timeRange) = (nil, nil, nil, nil, nil)
        return draft
    }

    /// The draft without the filters of its clips and of its main track.
    package var withoutFilters: Draft {
        var draft = self
        for index in draft.mainTrackClips.indices {
            draft.mainTrackClips[index].filters = nil
            draft.mainTrackClips[index].animations?.removeAll { $0.keyPath.hasPrefix("filters[") }
        }
        draft.effects?.removeAll { [.filter, .lut, .externalFilter].contains($0.type) }
        return draft
    }
}
