package import DraftModel

/// A draft that is being edited. The changes of a transaction are applied together, and only if the draft is valid with
/// them.
///
///     editor.beginChangeTransaction()
///     try editor.insert(intro, at: 0)
///     try editor.change { $0.timeRange = nil }
///     try editor.commitChange()
///
/// A change outside a transaction is checked and applied at once.
package struct DraftEditor {
    /// The last valid draft.
    package private(set) var draft: Draft
    /// The draft with the changes of the open transaction; nil if no transaction is open.
    package private(set) var pending: Draft?
    /// The compiler that checks the draft. Its facts must include every source that an edit may add.
    package var compiler: Compiler

    /// - Throws: `DraftError` if the given draft is not valid.
    package init(_ draft: Draft, _ compiler: Compiler) throws {
        self.draft = draft
        self.compiler = compiler
        try check(draft)
    }

    /// Opens a transaction. If one is already open, it continues.
    package mutating func beginChangeTransaction() {
        if pending == nil { pending = draft }
    }

    /// Discards the changes since the transaction began. Without a transaction nothing happens.
    package mutating func cancelChangeTransaction() { pending = nil }

    /// Applies the changes. Without a transaction nothing happens.
    /// - Throws: `DraftError` with every fault of the changed draft. The transaction stays open, so that the draft can
    ///   be corrected or the transaction cancelled.
    package mutating func commitChange() throws {
        guard let pending else { return }
        try check(pending)
        draft = pending
        self.pending = nil
    }

    /// Changes the draft in any way.
    /// - Throws: the errors of `body`. Outside a transaction also `DraftError` if the changed draft is not valid; the
    ///   draft is then unchanged.
    package mutating func change(_ body: (inout Draft) throws -> Void) throws {
        var changed = pending ?? draft
        try body(&changed)
        if pending == nil {
            try check(changed)
            draft = changed
        } else {
            pending = changed
        }
    }

    /// Inserts a clip before the clip at `index`, or after the last one if `index` is the number of clips.
    /// - Throws: `DraftError` if the index is out of range; see `change`.
    package mutating func insert(_ clip: MainTrackClip, at index: Int) throws {
        try change { draft in
            try DraftEditor.checkIndex(index, upTo: draft.mainTrackClips.count)
            draft.mainTrackClips.insert(clip, at: index)
        }
    }

    /// - Throws: `DraftError` if there is no such clip; see `change`.
    package mutating func replaceClip(at index: Int, with clip: MainTrackClip) throws {
        try change { draft in
            try DraftEditor.checkIndex(index, upTo: draft.mainTrackClips.count - 1)
            draft.mainTrackClips[index] = clip
        }
    }

    /// - Throws: `DraftError` if there is no such clip; see `change`.
    package mutating func removeClip(at index: Int) throws {
        try change { draft in
            try DraftEditor.checkIndex(index, upTo: draft.mainTrackClips.count - 1)
            draft.mainTrackClips.remove(at: index)
        }
    }

    private func check(_ changed: Draft) throws {
        let unknown = SourceUse.all(in: changed).filter { !$0.url.isEmpty && compiler.facts[$0.key] == nil }
        let faults = unknown.map {
            DraftDiagnostic(path: $0.path, code: .missingSource, message: "'\($0.name)' is a source that has not been probed")
        }
        _ = try compiler.compose(changed, reported: faults)
    }

    private static func checkIndex(_ index: Int, upTo last: Int) throws {
        guard index < 0 || index > last else { return }
        let message = last < 0 ? "there are no clips" : "must be 0...\(last), not \(index)"
        throw DraftError([DraftDiagnostic(path: "mainTrackClips", code: .outOfRange, message: message)])
    }
}
