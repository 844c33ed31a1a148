/// Makes foreign text safe for a terminal: labels, names of files and workers, log lines, messages of servers. Control
/// characters, and characters that make a text look like another one, are escaped as in JSON: `\u001B`.
extension String {
    /// The text escaped for use within one line: nothing in it moves the cursor, changes colours or begins a new line.
    package var printable: String { escaped { $0.isPrintable } }

    /// The document escaped except for its line breaks and tabs. JSON keeps its meaning, because the escaped characters
    /// can occur only inside its strings.
    package var printableDocument: String { escaped { $0.isPrintable || $0 == "\n" || $0 == "\t" } }

    private func escaped(unless isFine: (Unicode.Scalar) -> Bool) -> String {
        if unicodeScalars.allSatisfy(isFine) { return self }
        var text = ""
        for scalar in unicodeScalars {
            guard !isFine(scalar) else {
                text.unicodeScalars.append(scalar)
                continue
            }
            switch scalar {
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            default:
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16, uppercase: true)
                    text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            }
        }
        return text
    }
}

extension Unicode.Scalar {
    /// Whether the character only shows itself. Joiners inside words and emoji count as printable; marks that change
    /// the direction of writing do not.
    fileprivate var isPrintable: Bool {
        if isASCII { return value >= 0x20 && value != 0x7F }
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: return false
        case .format: return self == "\u{200C}" || self == "\u{200D}"
        default: return true
        }
    }
}
