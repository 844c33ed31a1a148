package import FoundationEssentials

/// What a client hands in for an export, read together: a draft document and the export's settings.
///
/// Every place that takes both reads them here, so that local exports, the farm's client, its API and its planner
/// report the same faults, in the same order, at the same paths.
package struct DraftReading: Sendable {
    /// The draft as far as it can be read; nil if the document is not a JSON object.
    package let draft: Draft?
    /// The settings as far as they can be read.
    package let settings: ExportSettings
    /// All diagnostics: first those of the draft, then those of the settings, whose paths begin with `settings`.
    package let diagnostics: [DraftDiagnostic]

    /// - Parameters:
    ///   - document: the draft, a JSON document.
    ///   - parameters: values for merge fields, by name. They override those in the draft's own `parameters`.
    ///   - settings: the export's settings as text values.
    package init(_ document: Data, parameters: [String: String] = [:], settings values: [String: String] = [:]) {
        let (draft, faults) = Draft.read(document, parameters: parameters)
        let (settings, settingFaults) = ExportSettings.read(values)
        self.draft = draft
        self.settings = settings
        diagnostics = faults + settingFaults.map { $0.under("settings") }
    }

    /// - Parameters:
    ///   - template: the draft, parsed once for many readings.
    ///   - parameters: values for merge fields, by name. They override those in the draft's own `parameters`.
    ///   - settings: the export's settings and their diagnostics (`ExportSettings.read`).
    package init(
        _ template: DraftTemplate, parameters: [String: String],
        settings: (settings: ExportSettings, diagnostics: [DraftDiagnostic])
    ) {
        let (draft, faults) = template.read(parameters: parameters)
        self.draft = draft
        self.settings = settings.settings
        diagnostics = faults + settings.diagnostics.map { $0.under("settings") }
    }

    /// Reads a draft for the library of a farm. Its merge fields may be without values, because they get them when the
    /// draft is submitted.
    /// - Parameter template: the draft, a JSON document.
    package init(template document: Data) {
        let (draft, faults) = Draft.read(document)
        self.draft = draft
        settings = ExportSettings()
        diagnostics = faults.filter { $0.code != .missingParameter }
    }
}
