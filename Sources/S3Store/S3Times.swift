package import FoundationEssentials

/// Times as an S3 service writes them.
package enum S3Times {
    /// A time in an XML answer: `2026-01-02T03:04:05.000Z`, or without the fraction.
    package static func date(iso8601 text: String) -> Date? {
        (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
            ?? (try? Date(text, strategy: Date.ISO8601FormatStyle()))  // both fail for what is no time
    }

    /// The time in a header: `Fri, 02 Jan 2026 03:04:05 GMT` (RFC 9110, section 5.6.7).
    package static func date(http text: String) -> Date? {
        let parts = text.split(separator: " ")
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        guard parts.count == 6, let month = months.firstIndex(of: String(parts[2])) else { return nil }
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        return date(iso8601: "\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z")
    }
}
