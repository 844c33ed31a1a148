import DraftModel

/// What the passes find, on top of what was already reported. A place that is already faulty is not judged again: one
/// mistake gives one message. Every operation takes the same time, however many diagnostics there are.
struct Diagnostics {
    private var list = DiagnosticList()
    private var known: Set<DraftDiagnostic> = []
    /// Every place at which or below which something is wrong.
    private var faultyPlaces: Set<String> = []

    init(_ reported: [DraftDiagnostic]) {
        for diagnostic in reported { add(diagnostic) }
    }

    /// In order; those that are too many are only counted, by the last one.
    var all: [DraftDiagnostic] { list.all }
    var warnings: [DraftDiagnostic] { all.warnings }
    var errorCount: Int { list.errorCount }
    var hasErrors: Bool { list.errorCount > 0 }
    /// Whether further errors are only counted: then there is no use in looking for them.
    var isFull: Bool { list.isFull }

    mutating func report(_ path: String, _ code: DraftDiagnostic.Code, _ message: String) {
        add(DraftDiagnostic(path: path, code: code, message: message))
    }

    /// Says what the draft's author should know; the draft is rendered all the same.
    mutating func warn(_ path: String, _ code: DraftDiagnostic.Code, _ message: String, remedy: String) {
        add(DraftDiagnostic(path: path, code: code, severity: .warning, message: message, remedy: remedy))
    }

    /// Whether anything at `path` or below it is known to be wrong.
    func isFaulty(_ path: String) -> Bool { faultyPlaces.contains(path) }

    mutating func add(_ diagnostic: DraftDiagnostic) {
        guard known.insert(diagnostic).inserted else { return }
        list.append(diagnostic)
        guard diagnostic.severity == .error else { return }
        faultyPlaces.insert(diagnostic.path)
        let path = diagnostic.path.utf8
        for index in path.indices where path[index] == UInt8(ascii: ".") || path[index] == UInt8(ascii: "[") {
            faultyPlaces.insert(String(diagnostic.path[..<index]))
        }
    }
}
