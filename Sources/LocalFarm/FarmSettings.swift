import FoundationEssentials

/// Settings of a farm's processes. The command line overrides the environment, which overrides the file, which
/// overrides the defaults.
package struct FarmSettings: Sendable {
    /// What is wrong with the settings, with every error on its own line.
    package struct Fault: Error, CustomStringConvertible, Equatable {
        package var lines: [String]

        package init(lines: [String]) {
            self.lines = lines
        }

        package var description: String { lines.joined(separator: "\n") }
    }

    /// Variables that other parts of the program read. They are not reported as unknown.
    private static let otherVariables: Set = [
        "SPOOL_SERVER", "SPOOL_TOKEN", "SPOOL_MEDIA", "SPOOL_RENDER_EXECUTABLE", "SPOOL_RECORD_SNAPSHOTS", "SPOOL_EXECUTABLE",
        "SPOOL_CONFIG", "SPOOL_FONT_PATH", "SPOOL_PLUGIN_PATH", "SPOOL_CACHE_SIZE",
    ]

    private let values: [SettingKey: String]
    /// Warnings about variables of the environment that look like settings and are not, one line each.
    package let warnings: [String]

    /// - Parameters:
    ///   - flags: the settings of the command line.
    ///   - file: a YAML file that must exist; nil for `config/spool.yaml`, which is optional.
    /// - Throws: `Fault` with every unknown name in the file.
    package init(flags: [SettingKey: String], environment: [String: String], file: String?) throws {
        var faults: [String] = []
        let fromFile = FarmSettings.read(file ?? "config/spool.yaml", isRequired: file != nil, &faults)
        var values: [SettingKey: String] = [:]
        for key in SettingKey.allCases {
            values[key] = flags[key] ?? environment[key.variable] ?? fromFile[key] ?? key.defaultValue
        }
        guard faults.isEmpty else { throw Fault(lines: faults) }
        self.values = values
        warnings = FarmSettings.unknownVariables(in: environment)
    }

    /// Warnings about variables named `SPOOL_...` that nothing reads, one line each. They are not errors, because the
    /// environment may be meant for another version, or for another program whose variables begin in the same way.
    package static func unknownVariables(in environment: [String: String]) -> [String] {
        let known = Set(SettingKey.allCases.map(\.variable)).union(otherVariables)
        return environment.keys.sorted().filter { $0.hasPrefix("SPOOL_") && !known.contains($0) }.map {
            "\($0) in the environment is an unknown setting and is ignored" + hint($0, Array(known))
        }
    }

    /// How many bytes a file of settings may have. Lists are joined to one text, and aliases repeat what they stand for,
    /// so a large file could take far more memory than it has bytes.
    private static let longestFile = 100_000

    private static func read(_ file: String, isRequired: Bool, _ faults: inout [String]) -> [SettingKey: String] {
        guard let data = FileManager.default.contents(atPath: file) else {
            if isRequired { faults.append("'\(file)' cannot be read") }
            return [:]
        }
        guard data.count <= longestFile else {
            faults.append("'\(file)' has \(data.count) bytes, and settings have at most \(longestFile)")
            return [:]
        }
        let mapping: YAMLMapping
        do {
            mapping = try YAMLMapping(data)
        } catch let fault as YAMLFault where fault.code == .notAMapping {
            faults.append("'\(file)' has to be a list of settings, such as slots: 4")
            return [:]
        } catch {
            faults.append("'\(file)' is not YAML: \(error)")
            return [:]
        }
        var values: [SettingKey: String] = [:]
        for entry in mapping.entries {
            guard let key = SettingKey(rawValue: entry.key) else {
                faults.append(
                    "\(entry.key) in '\(file)' is an unknown setting"
                        + hint(entry.key, SettingKey.allCases.map(\.rawValue)))
                continue
            }
            switch entry.value {
            case .scalar(let text): values[key] = text
            case .list(let items): values[key] = items.joined(separator: key == .allow ? ":" : ",")
            case .nested: faults.append("\(entry.key) in '\(file)' has to be a value or a list of values")
            }
        }
        return values
    }

    /// The text `; did you mean 'slots'?` when a known name is similar.
    private static func hint(_ name: String, _ names: [String]) -> String {
        let near = names.map { ($0, distance(name, $0)) }.min { ($0.1, $0.0) < ($1.1, $1.0) }
        guard let near, near.1 <= max(2, name.count / 4) else { return "" }
        return "; did you mean '\(near.0)'?"
    }

    /// The Levenshtein distance: the number of letters to insert, delete or replace.
    private static func distance(_ first: String, _ second: String) -> Int {
        var row = Array(0...second.count)
        for (i, a) in first.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, b) in second.enumerated() {
                let above = row[j + 1]
                row[j + 1] = min(above + 1, row[j] + 1, diagonal + (a == b ? 0 : 1))
                diagonal = above
            }
        }
        return row[second.count]
    }

    // MARK: Values

    /// - Throws: `Fault` that says how to set the value.
    package func text(_ key: SettingKey) throws -> String {
        guard let value = values[key] else {
            throw Fault(lines: ["\(key.rawValue) is not set; give \(key.flag), \(key.variable), or \(key.rawValue) in a file"])
        }
        return value
    }

    package func list(_ key: SettingKey, separator: Character = ",") throws -> [String] {
        try text(key).split(separator: separator).map { $0.trimmingSpaces }.filter { !$0.isEmpty }
    }

    /// - Throws: `Fault` when the value is not a whole number within `range`.
    package func integer(_ key: SettingKey, in range: ClosedRange<Int>) throws -> Int {
        let text = try text(key)
        guard let number = Int(text), range.contains(number) else {
            throw Fault(
                lines: ["\(key.rawValue) has to be \(range.lowerBound)...\(range.upperBound), not '\(text)'"])
        }
        return number
    }

    /// - Throws: `Fault` when the value is not one of the names of `type`.
    package func choice<Choice: RawRepresentable & CaseIterable>(
        _ key: SettingKey, _ type: Choice.Type
    ) throws -> Choice where Choice.RawValue == String {
        let text = try text(key)
        guard let choice = Choice(rawValue: text) else {
            let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw Fault(lines: ["\(key.rawValue) is one of \(names), not '\(text)'"])
        }
        return choice
    }

    /// All settings as a Markdown list: a part of `docs/configuration.md`.
    package static var reference: String {
        SettingKey.allCases.map { key in
            let value = key.defaultValue.map { $0.isEmpty ? "default: none" : "default: `\($0)`" } ?? "required"
            return "- `\(key.flag)`, `\(key.variable)`, `\(key.rawValue)` (\(value)):\n  \(key.meaning)\n"
        }.joined()
    }
}

extension Substring {
    fileprivate var trimmingSpaces: String {
        var trimmed = drop { $0 == " " }
        while trimmed.last == " " { trimmed.removeLast() }
        return String(trimmed)
    }
}
