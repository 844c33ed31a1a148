/// Checks SubStation Alpha scripts. libass gets the text unchanged and silently ignores what it does not understand, so
/// errors have to be found here.
extension CaptionParser {
    /// - Returns: the text.
    /// - Throws: `CaptionError` `malformed` for a dialogue with missing fields or times, for fonts inside the file, or
    ///   for a script without dialogue.
    func checkedScript(_ text: String) throws(CaptionError) -> String {
        var section = ""
        var (startField, endField) = (1, 2)
        var count = 0
        for (index, line) in lines.enumerated() {
            let line = line.trimmed
            if line.hasPrefix("[") {
                section = line.lowercased()
            } else if section == "[fonts]", line.lowercased().hasPrefix("fontname:") {
                throw fault(index, "fonts inside the file are not supported; install them, and remove the section [Fonts]")
            } else if section == "[events]", let names = fields(of: line, "Format:") {
                startField = names.firstIndex { $0.lowercased() == "start" } ?? 1
                endField = names.firstIndex { $0.lowercased() == "end" } ?? 2
            } else if section == "[events]", let fields = fields(of: line, "Dialogue:") {
                guard fields.count >= 10 else {
                    throw fault(index, "a dialogue has ten fields, but this one has \(fields.count)")
                }
                for place in [startField, endField] where !isTime(fields[place]) {
                    throw fault(index, "'\(fields[place].prefix(40))' is not a time like 0:00:01.50")
                }
                count += 1
            }
        }
        guard count > 0 else { throw fault(lines.count - 1, "the file ends without a dialogue in its section [Events]") }
        try checkCount(count)
        return text
    }

    private func fields(of line: Substring, _ keyword: String) -> [Substring]? {
        guard line.hasPrefix(keyword) else { return nil }
        return line.dropFirst(keyword.count).split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmed }
    }

    private func isTime(_ text: Substring) -> Bool {
        let halves = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = halves[0].split(separator: ":", omittingEmptySubsequences: false) + halves.dropFirst()
        return halves.count <= 2 && numbers.count == halves.count + 2
            && numbers.allSatisfy { !$0.isEmpty && $0.count <= 9 && $0.allSatisfy(\.isASCIIDigit) }
    }
}
