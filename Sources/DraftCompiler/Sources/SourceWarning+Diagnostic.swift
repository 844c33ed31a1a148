package import DraftModel
package import ExportPlan

extension DraftDiagnostic {
    /// The diagnostic for what rendering found out about a source.
    /// - Parameters:
    ///   - path: a place in the draft that uses the source.
    ///   - name: the draft's name for the source.
    package init(_ warning: SourceWarning, path: String, name: String) {
        let (code, remedy): (Code, String) =
            switch warning.code {
            case .textInDrawing: (.textInDrawing, "turn the text into paths in the program that made the file")
            case .undrawnInAnimation:
                (.undrawnInAnimation, "remove them, or render the animation to a video with transparency where it was made")
            case .unusedProfile: (.unusedProfile, "convert the picture to sRGB where it was made")
            case .frozenPictures, .damagedPictures, .damagedSound, .damagedPackets, .missingPictures, .missingSound:
                (
                    .damagedSource,
                    "replace the source by an undamaged copy, or leave out the damaged part with timeRange"
                )
            }
        self.init(
            path: path, code: code, severity: .warning, message: "'\(name)' \(warning.message)", remedy: remedy)
    }
}
