/// Texts of WebVTT (W3C, "WebVTT: The Web Video Text Tracks Format").
package enum WebVTT {
    /// Hours, minutes, seconds and milliseconds.
    package static func clock(milliseconds: Int) -> String {
        func digits(_ number: Int, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let seconds = milliseconds / 1000
        return "\(digits(seconds / 3600, 2)):\(digits(seconds / 60 % 60, 2)):\(digits(seconds % 60, 2))."
            + digits(milliseconds % 1000, 3)
    }

    /// A cue that shows a text as it is.
    /// - Parameters:
    ///   - text: lines separated by line feeds. Empty ones are left out, because they end a cue.
    ///   - times: in milliseconds.
    package static func cue(_ text: String, _ times: Range<Int>) -> String {
        let lines = text.unicodeScalars.split { $0 == "\n" || $0 == "\r" }.map { line in
            var escaped = String.UnicodeScalarView()
            for scalar in line {
                switch scalar {
                case "&": escaped += "&amp;".unicodeScalars
                case "<": escaped += "&lt;".unicodeScalars
                case ">": escaped += "&gt;".unicodeScalars
                default: escaped.append(scalar)
                }
            }
            return String(escaped)
        }
        return "\(clock(milliseconds: times.lowerBound)) --> \(clock(milliseconds: times.upperBound))\n"
            + lines.map { $0 + "\n" }.joined()
    }
}
