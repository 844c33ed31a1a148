extension Draft {
    /// The `id` of the innermost clip, audio clip, effect or layer around a place that has one; nil if none has.
    /// - Parameter path: a path of the document, as in diagnostics.
    package func elementID(at path: String) -> String? {
        var steps = removed.kept(path).split(separator: ".").map(PathStep.init)[...]
        guard let first = steps.popFirst(), let index = first.index else { return nil }
        switch first.name {
        case "mainTrackClips": return mainTrackClips.element(index)?.id
        case "audioClips": return audioClips?.element(index)?.id
        case "effects": return effects?.element(index)?.id
        case "layers": return layers?.element(index)?.elementID(at: steps)
        default: return nil
        }
    }
}

extension [DraftDiagnostic] {
    /// The diagnostics with the ids of the elements of a draft that they lie in.
    /// - Parameter draft: the draft, whose document the paths belong to.
    package func naming(elementsOf draft: Draft) -> [DraftDiagnostic] {
        map { diagnostic in
            var diagnostic = diagnostic
            diagnostic.id = draft.elementID(at: diagnostic.path)
            return diagnostic
        }
    }
}

/// A member's name in a path, and the index behind it: `layers[3]`.
private struct PathStep {
    var name: Substring
    var index: Int?

    init(_ text: Substring) {
        let parts = text.split(separator: "[", maxSplits: 1)
        name = parts.first ?? ""
        index = parts.count == 2 ? Int(parts[1].dropLast()) : nil
    }
}

extension DraftLayer {
    /// - Parameter steps: the path inside the layer.
    fileprivate func elementID(at steps: ArraySlice<PathStep>) -> String? {
        var steps = steps
        var inside = source
        if steps.first?.name == "mask" {
            steps.removeFirst()
            inside = mask?.source
        }
        guard steps.popFirst()?.name == "source", let list = steps.popFirst(), list.name == "layers", let index = list.index
        else { return id }
        return inside?.layers?.element(index)?.elementID(at: steps) ?? id
    }
}

extension Array {
    /// The element at an index; nil if there is none.
    fileprivate func element(_ index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
