/// Reads WebVTT (W3C, section 4): blocks between empty lines. Cues are read; notes, style sheets and regions are
/// ignored.
extension CaptionParser {
    /// - Throws: `CaptionError` `malformed` for a block that is not a cue, or an invalid time range.
    mutating func webVTT() throws(CaptionError) -> [Cue] {
        // The text from the first line to the first empty one describes the file.
        var index = lines.prefix { !$0.trimmed.isEmpty && !$0.contains("-->") }.count
        while index < lines.count {
            if lines[index].trimmed.isEmpty {
                index += 1
            } else if ["NOTE", "STYLE", "REGION"].contains(lines[index].prefix { $0 != " " && $0 != "\t" }) {
                while index < lines.count, !lines[index].trimmed.isEmpty { index += 1 }
            } else {
                try takeCue(from: &index)
            }
        }
        return cues
    }

    private mutating func takeCue(from index: inout Int) throws(CaptionError) {
        // A line without an arrow is the cue's identifier.
        if !lines[index].contains("-->") {
            index += 1
            guard index < lines.count, lines[index].contains("-->") else {
                throw fault(index, "expected a time range below '\(lines[index - 1].prefix(60))'")
            }
        }
        let timing = try timing(index)
        index += 1
        let first = index
        while index < lines.count, !lines[index].trimmed.isEmpty, !lines[index].contains("-->") { index += 1 }
        try take(Array(lines[first..<index]), timing, .webVTT, CuePlacement(timing.settings))
    }
}
