/// Text of others on its way to a terminal: labels, names of files and workers, log lines, messages of servers. What a terminal would obey,
/// and what would make the text look like another one, is written as JSON writes it: `\u001B`.
extension String {
    /// The same text as a part of one line: nothing in it moves the cursor, changes colours or begins a new line.
    public var printable: String { escaped { $0.isPrintable } }

    /// The same document with its lines and tabs as they are. JSON stays JSON with the same meaning, because such characters can stand only
    /// inside of its strings.
    public var printableDocument: String { escaped { $0.isPrintable || $0 == "\n" || $0 == "\t" } }

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
    /// Whether it only ever shows itself. Joiners do, inside of words and of emoji; marks that turn the direction of writing do not.
    fileprivate var isPrintable: Bool {
        if isASCII { return value >= 0x20 && value != 0x7F }
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: return false
        case .format: return self == "\u{200C}" || self == "\u{200D}"
        default: return true
        }
    }
}
