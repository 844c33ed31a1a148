import ArgumentParser
import CommandLineInterface
import DraftModel
import FarmAPI

/// Options for what an export makes of a draft: values for its merge fields, and export settings. Local commands and
/// `spool submit` have them.
struct ExportOptions: ParsableArguments {
    @Option(name: .customLong("param"), help: ArgumentHelp("A value for a merge field of the draft.", valueName: "name=value"))
    var parameters: [String] = []

    @Option(help: ArgumentHelp("A preset: \(ExportSettings.Preset.names)."))
    var preset: String?

    @Option(
        name: .customLong("settings"),
        help: ArgumentHelp("Export settings, a JSON file; --preset and --set count before it.", valueName: "file"))
    var settingsFile: String?

    @Option(name: .customLong("set"), help: ArgumentHelp("An export setting, such as videoQuality=20.", valueName: "name=value"))
    var settings: [String] = []

    func validate() throws {
        _ = try ExportOptions.pairs(parameters, "--param")
        _ = try ExportOptions.pairs(settings, "--set")
    }

    /// The values for merge fields, by name.
    func parameterValues() throws -> [String: String] { try ExportOptions.pairs(parameters, "--param") }

    /// The export settings as text values; a preset of its own option counts before one among the settings, and these
    /// before those of the file.
    /// - Throws: `ValidationError`, or `CommandFailure` when the file cannot be read.
    func settingValues() throws -> [String: String] {
        var values = try settingsFile.map(ExportOptions.read) ?? [:]
        values.merge(try ExportOptions.pairs(settings, "--set")) { _, new in new }
        if let preset { values["preset"] = preset }
        return values
    }

    /// The settings of a file as text values.
    private static func read(_ path: String) throws -> [String: String] {
        let data = try InputFile.read(path)
        do {
            return try FarmJSON.decode([String: SettingText].self, from: data).mapValues(\.text)
        } catch {
            throw CommandFailure(
                "'\(path)' is not a JSON object of export settings, whose values are texts, numbers, true or false: \(error)",
                status: ExitStatus.badInput)
        }
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
