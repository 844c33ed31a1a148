/// Reads SubRip, which has no specification: a number, a time range, lines of text, an empty line. The number may be
/// missing, and texts may contain empty lines. Coordinates after the times are ignored.
extension CaptionParser {
    /// - Throws: `CaptionError` `malformed` for text before the first time range, an invalid time range, or a file
    ///   without captions.
    mutating func subRip() throws(CaptionError) -> [Cue] {
        var timing: CueTiming?
        var text: [Substring] = []
        for (index, line) in lines.enumerated() {
            if CueTiming.looksLikeOne(line) {
                let next = try self.timing(index)
                if let last = text.last, isNumber(last) { text.removeLast() }
                if let timing { try take(text.filter { !$0.trimmed.isEmpty }, timing, .subRip) }
                (timing, text) = (next, [])
            } else if timing != nil {
                text.append(line)
            } else if !line.trimmed.isEmpty, !isNumber(line) {
                throw fault(index, "expected a number or a time range, not '\(line.prefix(60))'")
            }
        }
        guard let timing else { throw fault(lines.count - 1, "the file ends without a caption") }
        try take(text.filter { !$0.trimmed.isEmpty }, timing, .subRip)
        return cues
    }

    private func isNumber(_ line: Substring) -> Bool {
        let number = line.trimmed
        return !number.isEmpty && number.allSatisfy(\.isASCIIDigit)
    }
}
