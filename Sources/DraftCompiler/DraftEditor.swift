public import DraftModel

/// A draft that is being edited: the changes of a transaction are taken over together, and only when the draft is valid with them.
///
///     editor.beginChangeTransaction()
///     try editor.insert(intro, at: 0)
///     try editor.change { $0.timeRange = nil }
///     try editor.commitChange()
///
/// A change outside of a transaction is one of its own.
public struct DraftEditor {
    /// The last valid draft.
    public private(set) var draft: Draft
    /// The draft as the open transaction would leave it; nil outside of one.
    public private(set) var pending: Draft?
    /// What the draft is judged with: its settings, and facts of every source that an edit may bring in.
    public var compiler: Compiler

    /// - Throws: `DraftError` when the draft is not valid to begin with.
    public init(_ draft: Draft, _ compiler: Compiler) throws {
        self.draft = draft
        self.compiler = compiler
        try check(draft)
    }

    /// Opens a transaction. One that is open goes on.
    public mutating func beginChangeTransaction() {
        if pending == nil { pending = draft }
    }

    /// Forgets what has been changed since the transaction began; without one nothing happens.
    public mutating func cancelChangeTransaction() { pending = nil }

    /// Takes the changes over; without a transaction nothing happens.
    /// - Throws: `DraftError` with every fault of the changed draft. The transaction stays open, to be mended or cancelled.
    public mutating func commitChange() throws {
        guard let pending else { return }
        try check(pending)
        draft = pending
        self.pending = nil
    }

    /// Changes anything.
    /// - Throws: what `body` throws; outside of a transaction also `DraftError`, and the draft is as it was.
    public mutating func change(_ body: (inout Draft) throws -> Void) throws {
        var changed = pending ?? draft
        try body(&changed)
        if pending == nil {
            try check(changed)
            draft = changed
        } else {
            pending = changed
        }
    }

    /// Before the clip that has the index now, or behind the last one.
    /// - Throws: `DraftError` when there is no such place; see `change`.
    public mutating func insert(_ clip: MainTrackClip, at index: Int) throws {
        try change { draft in
            try DraftEditor.checkIndex(index, upTo: draft.mainTrackClips.count)
            draft.mainTrackClips.insert(clip, at: index)
        }
    }

    /// - Throws: `DraftError` when there is no such clip; see `change`.
    public mutating func replaceClip(at index: Int, with clip: MainTrackClip) throws {
        try change { draft in
            try DraftEditor.checkIndex(index, upTo: draft.mainTrackClips.count - 1)
            draft.mainTrackClips[index] = clip
        }
    }

    /// - Throws: `DraftError` when there is no such clip; see `change`.
    public mutating func removeClip(at index: Int) throws {
        try change { draft in
            try DraftEditor.checkIndex(index, upTo: draft.mainTrackClips.count - 1)
            draft.mainTrackClips.remove(at: index)
        }
    }

    private func check(_ changed: Draft) throws {
        let unknown = SourceUse.all(in: changed).filter { !$0.url.isEmpty && compiler.facts[$0.url] == nil }
        let faults = unknown.map {
            DraftDiagnostic(path: $0.path, code: .missingSource, message: "'\($0.name)' is a source that has not been looked at")
        }
        _ = try compiler.compose(changed, reported: faults)
    }

    private static func checkIndex(_ index: Int, upTo last: Int) throws {
        guard index < 0 || index > last else { return }
        let message = last < 0 ? "there are no clips" : "must be 0...\(last), not \(index)"
        throw DraftError([DraftDiagnostic(path: "mainTrackClips", code: .outOfRange, message: message)])
    }
}
