/// The part of a file that a `Range` header asks for (RFC 9110, section 14).
enum ByteRange: Equatable {
    case whole
    case part(Range<Int>)
    /// A range beyond the end of the file.
    case outside

    /// Reads the header's value. Several ranges, units other than bytes and malformed values give the whole file, as
    /// the RFC allows.
    static func read(_ header: String, size: Int) -> ByteRange {
        let parts = header.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, parts[0] == "bytes", !parts[1].contains(",") else { return .whole }
        let ends = parts[1].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard ends.count == 2 else { return .whole }
        switch (Int(ends[0]), Int(ends[1])) {
        case (let first?, let last?) where first >= 0 && last >= first:
            return first < size ? .part(first..<min(last, size - 1) + 1) : .outside
        case (let first?, nil) where first >= 0 && ends[1].isEmpty:
            return first < size ? .part(first..<size) : .outside
        case (nil, let count?) where count >= 0 && ends[0].isEmpty:
            return count > 0 && size > 0 ? .part(max(0, size - count)..<size) : .outside
        default: return .whole
        }
    }
}
