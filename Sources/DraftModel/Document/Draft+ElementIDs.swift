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
    /// The diagnostics with the ids of the elements of a draft that they lie in. Ids that they have already stay.
    /// - Parameter draft: the draft, whose document the paths belong to.
    package func naming(elementsOf draft: Draft) -> [DraftDiagnostic] { naming(draft.elementID) }

    /// The diagnostics of a document with the ids of the elements that they lie in. Reading leaves faulty elements out of
    /// the draft, whose indexes then differ from those of the document.
    func naming(elementsOf document: JSONValue) -> [DraftDiagnostic] { naming(document.elementID) }

    private func naming(_ id: (String) -> String?) -> [DraftDiagnostic] {
        map { diagnostic in
            var diagnostic = diagnostic
            diagnostic.id = diagnostic.id ?? id(diagnostic.path)
            return diagnostic
        }
    }
}

extension JSONValue {
    /// The lists of elements that have ids.
    private static let lists: Set<Substring> = ["mainTrackClips", "audioClips", "effects", "layers"]

    /// The `id` of the innermost element around a place of a draft document that has one; nil if none has.
    fileprivate func elementID(at path: String) -> String? {
        var value = self
        var found: String?
        for step in path.split(separator: ".").map(PathStep.init) {
            guard let member = value.member(String(step.name)) else { return found }
            value = member
            guard let index = step.index else { continue }
            guard case .array(let elements) = member, elements.indices.contains(index) else { return found }
            value = elements[index]
            if JSONValue.lists.contains(step.name), let id = value.member("id")?.text { found = id }
        }
        return found
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
