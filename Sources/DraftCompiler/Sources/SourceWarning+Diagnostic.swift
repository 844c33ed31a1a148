package import DraftModel
package import ExportPlan

extension DraftDiagnostic {
    /// The diagnostic for what rendering found out about a source.
    /// - Parameters:
    ///   - path: a place in the draft that uses the source.
    ///   - name: the draft's name for the source.
    package init(_ warning: SourceWarning, path: String, name: String) {
        let isDamage = warning.code != .textInDrawing
        self.init(
            path: path, code: isDamage ? .damagedSource : .textInDrawing, severity: .warning,
            message: "'\(name)' \(warning.message)",
            remedy: isDamage
                ? "replace the source by an undamaged copy, or leave out the damaged part with timeRange"
                : "turn the text into paths in the program that made the file")
    }
}
