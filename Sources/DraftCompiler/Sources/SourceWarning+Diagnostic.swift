package import DraftModel
package import ExportPlan

extension DraftDiagnostic {
    /// The diagnostic for damage in a source that rendering concealed.
    /// - Parameters:
    ///   - path: a place in the draft that uses the source.
    ///   - name: the draft's name for the source.
    package init(_ warning: SourceWarning, path: String, name: String) {
        self.init(
            path: path, code: .damagedSource, severity: .warning, message: "'\(name)' \(warning.message)",
            remedy: "replace the source by an undamaged copy, or leave out the damaged part with timeRange")
    }
}
