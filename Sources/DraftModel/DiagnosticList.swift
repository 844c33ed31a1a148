/// Diagnostics in the order in which they were found: at most a thousand, and behind them one that counts the rest.
///
/// Errors go before warnings where there is no room for all. Adding takes the same time, however many there are.
public struct DiagnosticList: Sendable {
    private var kept: [DraftDiagnostic] = []
    private var keptErrors = 0
    private var omittedErrors = 0
    private var omittedWarnings = 0

    public init() {}

    /// Errors, those included that are only counted.
    public var errorCount: Int { keptErrors + omittedErrors }

    /// Whether no further error is named.
    public var isFull: Bool { keptErrors >= DraftLimits.diagnostics }

    /// An entry that counts others is taken for those that it counts.
    public mutating func append(_ diagnostic: DraftDiagnostic) {
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

    /// What there is, and at its end how much there was beside.
    public var all: [DraftDiagnostic] {
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
            remedy: "mend these, and the others are named")
        diagnostic.omitted = count
        return diagnostic
    }
}
