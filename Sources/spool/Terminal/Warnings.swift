import CommandLineInterface
import DraftCompiler
import DraftModel
import ExportPlan

/// Prints warnings, each on its own line. They change nothing else, except with `--strict`.
struct Warnings {
    let isStrict: Bool

    /// Prints warnings on standard error.
    /// - Throws: `CommandFailure`, exit code 65, when there are any and they count as errors.
    func tell(_ warnings: [DraftDiagnostic]) throws {
        if isStrict, !warnings.isEmpty { throw CommandFailure(strict: warnings) }
        for warning in warnings { Terminal.error(warning.line) }
    }
}

extension CommandFailure {
    /// The failure for warnings that count as errors.
    init(strict warnings: [DraftDiagnostic]) {
        self.init("--strict takes warnings for errors", status: ExitStatus.badInput)
        lines = warnings.map(\.line) + lines
        diagnostics = warnings
    }
}

extension DraftPreparation {
    /// The warnings about sources that rendering found, with the places of the draft that use them.
    func diagnostics(_ warnings: [SourceWarning]) -> [DraftDiagnostic] { compiler.diagnostics(of: warnings, in: draft) }
}

/// A result as JSON together with its warnings.
struct WithWarnings<Value: Encodable>: Encodable {
    private let value: Value
    private let warnings: [DraftDiagnostic]

    /// - Parameter value: a value whose JSON is an object.
    init(_ value: Value, _ warnings: [DraftDiagnostic]) {
        self.value = value
        self.warnings = warnings
    }

    private enum CodingKeys: String, CodingKey { case warnings }

    func encode(to encoder: any Encoder) throws {
        try value.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(warnings, forKey: .warnings)
    }
}
