/// A place in a trace, as the W3C's header `traceparent` has it (https://www.w3.org/TR/trace-context/): the trace, and
/// the span that the next one belongs under. It travels in requests and in tickets.
package struct TraceParent: Hashable, Sendable {
    /// 32 hexadecimal digits in lower case, not all zero.
    package let traceID: String
    /// 16 hexadecimal digits in lower case, not all zero.
    package let spanID: String

    /// - Returns: nil where one of them is not of its form.
    package init?(traceID: String, spanID: String) {
        guard TraceParent.isID(traceID, 32), TraceParent.isID(spanID, 16) else { return nil }
        self.traceID = traceID
        self.spanID = spanID
    }

    /// Reads a header or a ticket's field.
    /// - Returns: nil for anything that is not of the form `00-TRACE-SPAN-FLAGS`. What later versions add is ignored.
    package init?(_ text: String) {
        guard text.utf8.count <= 512 else { return nil }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 4 || (parts.count > 4 && parts[0] != "00"), parts[0].utf8.count == 2, parts[0] != "ff",
            TraceParent.isHex(parts[0]), parts[3].utf8.count == 2, TraceParent.isHex(parts[3])
        else { return nil }
        self.init(traceID: String(parts[1]), spanID: String(parts[2]))
    }

    /// The text of the header. Every trace of a farm is recorded.
    package var text: String { "00-\(traceID)-\(spanID)-01" }

    private static func isID(_ text: String, _ length: Int) -> Bool {
        text.utf8.count == length && isHex(text) && text.utf8.contains { $0 != UInt8(ascii: "0") }
    }

    private static func isHex(_ text: some StringProtocol) -> Bool {
        text.utf8.allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
        }
    }
}
