public import DraftModel
public import ExportPlan

extension DraftDiagnostic {
    /// What a rendering process concealed in a source, as the draft's author is told it.
    /// - Parameters:
    ///   - path: the first place in the draft that uses the source.
    ///   - name: what the draft calls the source.
    public init(_ warning: SourceWarning, path: String, name: String) {
        self.init(
            path: path, code: .damagedSource, severity: .warning, message: "'\(name)' \(warning.message)",
            remedy: "replace the source by an undamaged copy, or leave out the damaged part with timeRange")
    }
}
