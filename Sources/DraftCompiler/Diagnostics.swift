import DraftModel

/// What the passes find, on top of what was already reported. A place that is already faulty is not judged again: one
/// mistake gives one message.
struct Diagnostics {
    private(set) var all: [DraftDiagnostic]

    init(_ reported: [DraftDiagnostic]) {
        all = reported
    }

    mutating func report(_ path: String, _ code: DraftDiagnostic.Code, _ message: String) {
        let diagnostic = DraftDiagnostic(path: path, code: code, message: message)
        if !all.contains(diagnostic) { all.append(diagnostic) }
    }

    /// Whether anything at `path` or below it is known to be wrong.
    func isFaulty(_ path: String) -> Bool {
        all.contains { $0.path == path || $0.path.hasPrefix(path + ".") || $0.path.hasPrefix(path + "[") }
    }
}
