import DraftModel

/// What the passes find, on top of what was already reported. A place that is already faulty is not judged again: one
/// mistake gives one message. Every operation takes the same time, however many diagnostics there are.
struct Diagnostics {
    private(set) var all: [DraftDiagnostic] = []
    private var known: Set<DraftDiagnostic> = []
    /// Every place at which or below which something is wrong.
    private var faultyPlaces: Set<String> = []
    private(set) var errorCount = 0

    init(_ reported: [DraftDiagnostic]) {
        for diagnostic in reported { add(diagnostic) }
    }

    var errors: [DraftDiagnostic] { all.errors }
    var warnings: [DraftDiagnostic] { all.warnings }
    var hasErrors: Bool { errorCount > 0 }

    mutating func report(_ path: String, _ code: DraftDiagnostic.Code, _ message: String) {
        add(DraftDiagnostic(path: path, code: code, message: message))
    }

    /// Says what the draft's author should know; the draft is rendered all the same.
    mutating func warn(_ path: String, _ code: DraftDiagnostic.Code, _ message: String, remedy: String) {
        add(DraftDiagnostic(path: path, code: code, severity: .warning, message: message, remedy: remedy))
    }

    /// Whether anything at `path` or below it is known to be wrong.
    func isFaulty(_ path: String) -> Bool { faultyPlaces.contains(path) }

    private mutating func add(_ diagnostic: DraftDiagnostic) {
        guard known.insert(diagnostic).inserted else { return }
        all.append(diagnostic)
        guard diagnostic.severity == .error else { return }
        errorCount += 1
        faultyPlaces.insert(diagnostic.path)
        let path = diagnostic.path.utf8
        for index in path.indices where path[index] == UInt8(ascii: ".") || path[index] == UInt8(ascii: "[") {
            faultyPlaces.insert(String(diagnostic.path[..<index]))
        }
    }
}
