import DraftModel
package import Vocabulary

/// Names the file of each film of a batch, from a text with merge fields such as `{{lang}}/{{name}}.mp4`.
///
/// The fields are the columns of the rows, and `{{row}}` is the row's number unless a column has that name. Folders come
/// from the text alone: what a value has that a file's name cannot have becomes `-`, so that no value leads out of the
/// folder that the films are written to.
package struct OutputName: Hashable, Sendable {
    /// Bytes of one folder or file.
    package static let componentBytes = 200
    /// Bytes of the whole name.
    package static let bytes = 1_000

    private let text: MergeText
    /// The file type that the name's suffix gives; nil where the suffix names none.
    package let fileType: FileType?
    private let suffix: String

    /// What is wrong with a name, as words for a message.
    package struct Fault: Error, Hashable, CustomStringConvertible {
        package var description: String
    }

    /// - Parameters:
    ///   - text: the text; nil for the row's number.
    ///   - fileType: the file type that the settings ask for; nil where they ask for none.
    ///   - isPicture: whether the settings ask for a picture by itself, and not for a film.
    /// - Throws: `Fault` for a text that cannot name files, or names another file type than the settings.
    package init(_ text: String?, fileType wanted: FileType?, isPicture: Bool = false) throws(Fault) {
        let name = text ?? "{{row}}"
        guard name.utf8.count <= OutputName.bytes else {
            throw Fault(description: "may have \(OutputName.bytes) bytes, not \(name.utf8.count)")
        }
        guard !name.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw Fault(description: "has a control character in it")
        }
        self.text = MergeText(name)
        var ending = ""
        if case .literal(let literal)? = self.text.segments.last, let point = literal.lastIndex(of: "."),
            literal[point...].allSatisfy({ $0 != "/" })
        {
            ending = String(literal[literal.index(after: point)...])
        }
        let named =
            isPicture
            ? PictureFileType(suffix: ending).flatMap { FileType(rawValue: $0.rawValue) }
            : FormatCatalogue.container(ofSuffix: ending)?.type
        if let named, let wanted, named != wanted {
            throw Fault(description: "ends with .\(ending), but the setting fileType is \(wanted.rawValue); give one of them")
        }
        fileType = named
        let wantedSuffixes =
            isPicture
            ? PictureFileType(rawValue: (wanted ?? .png).rawValue)?.suffixes ?? [] : (wanted ?? .mp4).format.suffixes
        suffix = named == nil && !wantedSuffixes.contains(ending.lowercased()) ? wantedSuffixes.first.map { ".\($0)" } ?? "" : ""
        guard !name.hasPrefix("/") else { throw Fault(description: "begins with /; give a name inside the folder of the films") }
        for component in name.split(separator: "/", omittingEmptySubsequences: false) where [".", "..", ""].contains(component) {
            throw Fault(description: "has '\(component)' where the name of a folder or a file has to be")
        }
    }

    /// The columns that the name uses.
    package var fieldNames: Set<String> { text.fieldNames }

    /// The name of a row's file.
    /// - Parameters:
    ///   - row: the row's number.
    ///   - values: the row's values, and those for all rows.
    package func name(row: Int, values: [String: String]) throws(Fault) -> String {
        var name = ""
        for segment in text.segments {
            switch segment {
            case .literal(let literal): name += literal
            case .field(let field):
                guard let value = values[field] ?? (field == "row" ? "\(row)" : nil) else {
                    throw Fault(description: "there is no value for {{\(field)}}")
                }
                name += OutputName.plain(value)
            }
        }
        name += suffix
        var result: [String] = []
        for component in name.split(separator: "/", omittingEmptySubsequences: false) {
            let trimmed = String(component.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            guard !trimmed.isEmpty, !OutputName.isOnlySuffix(trimmed) else {
                throw Fault(description: "the name '\(name)' has an empty folder or file in it")
            }
            // A file whose name begins with a point is hidden, and '..' is another folder.
            let visible = trimmed.hasPrefix(".") ? "-" + trimmed.dropFirst() : trimmed
            guard visible.utf8.count <= OutputName.componentBytes else {
                throw Fault(
                    description: "'\(visible.prefix(40))...' has \(visible.utf8.count) bytes; a folder or a file may have "
                        + "\(OutputName.componentBytes)")
            }
            result.append(visible)
        }
        return result.joined(separator: "/")
    }

    /// Whether nothing is before the suffix.
    private static func isOnlySuffix(_ component: String) -> Bool {
        component.first == "." && FormatCatalogue.container(ofSuffix: String(component.dropFirst())) != nil
    }

    /// A value without the characters that the name of a file cannot have, on any system.
    private static func plain(_ value: String) -> String {
        String(
            value.map { character in
                let isPlain = character.unicodeScalars.allSatisfy { scalar in
                    scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value)
                        && !"/\\:*?\"<>|".unicodeScalars.contains(scalar)
                        && scalar.properties.generalCategory != .format && scalar.properties.generalCategory != .lineSeparator
                        && scalar.properties.generalCategory != .paragraphSeparator
                }
                return isPlain ? character : "-"
            })
    }

    /// What equal names have in common on systems that do not tell lower and upper case apart.
    package static func identity(_ name: String) -> String { name.lowercased() }
}
