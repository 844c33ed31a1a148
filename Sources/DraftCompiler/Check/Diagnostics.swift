import DraftModel

/// The diagnostics of the passes, added to those that were reported before. A place with a fault is not checked again,
/// so that one mistake gives one message. Every operation takes constant time, whatever the number of diagnostics.
///
/// Inside, paths are those of the draft without what conditions removed (`RemovedElements`), as the passes count. What
/// comes in and goes out has the document's paths.
struct Diagnostics {
    private let draft: Draft
    private var removed: RemovedElements { draft.removed }
    private var list = DiagnosticList()
    private var known: Set<DraftDiagnostic> = []
    /// The paths of all faults, and of everything that contains one.
    private var faultyPlaces: Set<String> = []

    /// - Parameter reported: diagnostics with the document's paths.
    init(_ reported: [DraftDiagnostic], of draft: Draft) {
        self.draft = draft
        for diagnostic in reported { add(written: diagnostic) }
    }

    /// All diagnostics in the order in which they were found, with the document's paths and the ids of its elements. The
    /// last one counts those beyond the limit.
    var all: [DraftDiagnostic] {
        let written = removed.isEmpty ? list.all : list.all.map { $0.moved(to: removed.written($0.path)) }
        return written.naming(elementsOf: draft)
    }
    var warnings: [DraftDiagnostic] { all.warnings }
    var errorCount: Int { list.errorCount }
    var hasErrors: Bool { list.errorCount > 0 }
    /// Whether further errors would only be counted. Then it is useless to look for more.
    var isFull: Bool { list.isFull }

    /// The document's path of a place, for messages that name it.
    func written(_ path: String) -> String { removed.written(path) }

    mutating func report(_ path: String, _ code: DraftDiagnostic.Code, _ message: String) {
        add(DraftDiagnostic(path: path, code: code, message: message))
    }

    /// Adds a warning for the draft's author. The draft is still rendered.
    mutating func warn(_ path: String, _ code: DraftDiagnostic.Code, _ message: String, remedy: String) {
        add(DraftDiagnostic(path: path, code: code, severity: .warning, message: message, remedy: remedy))
    }

    /// Whether there is an error at `path` or below it.
    func isFaulty(_ path: String) -> Bool { faultyPlaces.contains(path) }

    /// Adds a diagnostic with the document's path.
    mutating func add(written diagnostic: DraftDiagnostic) {
        add(removed.isEmpty ? diagnostic : diagnostic.moved(to: removed.kept(diagnostic.path)))
    }

    private mutating func add(_ diagnostic: DraftDiagnostic) {
        var unnamed = diagnostic
        unnamed.id = nil
        guard known.insert(unnamed).inserted else { return }
        list.append(diagnostic)
        guard diagnostic.severity == .error else { return }
        faultyPlaces.insert(diagnostic.path)
        let path = diagnostic.path.utf8
        for index in path.indices where path[index] == UInt8(ascii: ".") || path[index] == UInt8(ascii: "[") {
            faultyPlaces.insert(String(diagnostic.path[..<index]))
        }
    }
}

extension DraftDiagnostic {
    /// The same diagnostic at another path.
    fileprivate func moved(to path: String) -> DraftDiagnostic {
        var diagnostic = self
        diagnostic.path = path
        return diagnostic
    }
}
