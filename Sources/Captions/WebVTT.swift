/// WebVTT (W3C, section 4): blocks between empty lines. Cues are read; notes, style sheets and regions are passed over.
extension CaptionReading {
    /// - Throws: `CaptionError` `malformed` for a block that is no cue, a time range that is none.
    mutating func webVTT() throws(CaptionError) -> [Cue] {
        // What stands below the first line, up to an empty one, describes the file.
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
        // A line without an arrow is the cue's name.
        if !lines[index].contains("-->") {
            index += 1
            guard index < lines.count, lines[index].contains("-->") else {
                throw fault(index, "a time range belongs here, below '\(lines[index - 1].prefix(60))'")
            }
        }
        let timing = try timing(index)
        index += 1
        let first = index
        while index < lines.count, !lines[index].trimmed.isEmpty, !lines[index].contains("-->") { index += 1 }
        try take(Array(lines[first..<index]), timing, .webVTT, CuePlacement(timing.settings))
    }
}
