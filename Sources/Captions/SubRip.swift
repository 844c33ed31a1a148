/// SubRip, which nobody has written down: a number, a time range, lines of text, an empty line. The number may be missing, and
/// texts may have empty lines in them; what follows the times (coordinates) says nothing here.
extension CaptionReading {
    /// - Throws: `CaptionError` `malformed` for a line before the first time range that belongs to nothing, a time range that
    ///   is none, a file without captions.
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
                throw fault(index, "a number or a time range belongs here, not '\(line.prefix(60))'")
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
