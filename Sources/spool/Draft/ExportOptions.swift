import ArgumentParser
import DraftModel

/// Options for what an export makes of a draft: values for its merge fields, and export settings. Local commands and
/// `spool submit` have them.
struct ExportOptions: ParsableArguments {
    @Option(name: .customLong("param"), help: ArgumentHelp("A value for a merge field of the draft.", valueName: "name=value"))
    var parameters: [String] = []

    @Option(help: ArgumentHelp("A preset: \(ExportSettings.Preset.names)."))
    var preset: String?

    @Option(name: .customLong("set"), help: ArgumentHelp("An export setting, such as videoQuality=20.", valueName: "name=value"))
    var settings: [String] = []

    func validate() throws {
        _ = try ExportOptions.pairs(parameters, "--param")
        _ = try ExportOptions.pairs(settings, "--set")
    }

    /// The values for merge fields, by name.
    func parameterValues() throws -> [String: String] { try ExportOptions.pairs(parameters, "--param") }

    /// The export settings as text values; a preset of its own option counts before one among the settings.
    func settingValues() throws -> [String: String] {
        var values = try ExportOptions.pairs(settings, "--set")
        if let preset { values["preset"] = preset }
        return values
    }

    /// Texts of the form name=value as a dictionary; of equal names the last counts.
    /// - Parameter option: the option's name, for the message.
    /// - Throws: `ValidationError` for another text.
    static func pairs(_ texts: [String], _ option: String) throws -> [String: String] {
        var result: [String: String] = [:]
        for text in texts {
            guard let mark = text.firstIndex(of: "="), mark > text.startIndex else {
                throw ValidationError("\(option) takes name=value, not '\(text)'")
            }
            result[String(text[..<mark])] = String(text[text.index(after: mark)...])
        }
        return result
    }
}

extension ExportSettings.Preset {
    /// All names as one line for people.
    static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
