/// Diagnostics in the order in which they were found. At most 1000 are kept; a last one counts the rest.
///
/// If there is no room for all, errors are kept before warnings. Adding takes constant time.
package struct DiagnosticList: Sendable {
    private var kept: [DraftDiagnostic] = []
    private var keptErrors = 0
    private var omittedErrors = 0
    private var omittedWarnings = 0

    package init() {}

    /// The number of errors, including those that are only counted.
    package var errorCount: Int { keptErrors + omittedErrors }

    /// Whether further errors are only counted.
    package var isFull: Bool { keptErrors >= DraftLimits.diagnostics }

    /// Adds a diagnostic. A diagnostic that counts others adds its count.
    package mutating func append(_ diagnostic: DraftDiagnostic) {
        let isError = diagnostic.severity == .error
        if diagnostic.code == .more {
            count(diagnostic.omitted ?? 1, isError)
        } else if isError ? isFull : kept.count - keptErrors >= DraftLimits.diagnostics {
            count(1, isError)
        } else {
            kept.append(diagnostic)
            if isError { keptErrors += 1 }
        }
    }

    private mutating func count(_ number: Int, _ isError: Bool) {
        if isError { omittedErrors += number } else { omittedWarnings += number }
    }

    /// The kept diagnostics, and a last one that counts the others.
    package var all: [DraftDiagnostic] {
        var room = DraftLimits.diagnostics - keptErrors
        let named = kept.filter { diagnostic in
            guard diagnostic.severity == .warning else { return true }
            room -= 1
            return room >= 0
        }
        let rest = omittedErrors + omittedWarnings + kept.count - named.count
        return rest == 0 ? named : named + [.more(rest, omittedErrors > 0 ? .error : .warning)]
    }
}

extension DraftDiagnostic {
    fileprivate static func more(_ count: Int, _ severity: Severity) -> DraftDiagnostic {
        var diagnostic = DraftDiagnostic(
            path: "", code: .more, severity: severity, message: "and \(count) more",
            remedy: "correct these to see the others")
        diagnostic.omitted = count
        return diagnostic
    }
}
