/// The formats of caption files, with the same names as the containers in source facts.
package enum CaptionFormat: String, Sendable {
    /// SubRip.
    case srt
    /// W3C's WebVTT.
    case webvtt
    /// Advanced SubStation Alpha, and SubStation Alpha before it.
    case ass

    /// The format of a text, recognised by its first lines.
    package init?(ofHead text: String) {
        let lines = text.lines.prefix(40).map { $0.trimmed }
        guard let first = lines.first(where: { !$0.isEmpty }) else { return nil }
        if first == "WEBVTT" || first.hasPrefix("WEBVTT ") || first.hasPrefix("WEBVTT\t") {
            self = .webvtt
        } else if let section = lines.first(where: { !$0.isEmpty && !$0.hasPrefix(";") && !$0.hasPrefix("!") }),
            ["[script info]", "[v4 styles]", "[v4+ styles]", "[events]"].contains(section.lowercased())
        {
            self = .ass
        } else if lines.contains(where: { CueTiming.looksLikeOne($0) }) {
            self = .srt
        } else {
            return nil
        }
    }
}

extension StringProtocol {
    /// The lines of a text, which end in LF, CRLF or CR.
    var lines: [SubSequence] {
        split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
    }

    /// The text without spaces and tabs at either end.
    var trimmed: SubSequence {
        var rest = self[...]
        while let first = rest.first, first == " " || first == "\t" { rest.removeFirst() }
        while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
        return rest
    }
}
