package import FoundationEssentials

/// Times as the server writes and reads them, exact to the microsecond.
enum TimestampText {
    /// Reads `2026-03-04 05:06:07.000089+05:30`; without an offset it is UTC.
    /// - Returns: nil for a text that is no time of the common era, such as `infinity`.
    static func parse(_ text: String) -> Date? {
        var rest = Substring(text).utf8
        func number() -> Int64? {
            let digits = rest.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
            rest = rest[digits.endIndex...]
            return Int64(Substring(digits))
        }
        func skip(_ character: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: character) else { return false }
            rest.removeFirst()
            return true
        }
        guard let year = number(), skip("-"), let month = number(), skip("-"), let day = number(), skip(" "),
            let hour = number(), skip(":"), let minute = number(), skip(":"), let second = number()
        else { return nil }
        var microsecond: Int64 = 0
        if skip(".") {
            let before = rest.count
            guard let fraction = number(), before - rest.count <= 6 else { return nil }
            microsecond = (before - rest.count..<6).reduce(fraction) { value, _ in value * 10 }
        }
        var offset: Int64 = 0
        let isWest = skip("-")
        if isWest || skip("+") {
            for unit: Int64 in [3600, 60, 1] {
                guard let part = number() else { return nil }
                offset += part * unit
                guard skip(":") else { break }
            }
        }
        guard rest.isEmpty else { return nil }
        let seconds = ((days(year, month, day) * 24 + hour) * 60 + minute) * 60 + second - (isWest ? -offset : offset)
        return date(microsecondsSince2000: (seconds - daysTo2000 * 86400) * 1_000_000 + microsecond)
    }

    /// The value of `timestamptz` in the binary format: microseconds since 2000-01-01.
    /// - Returns: nil for a time that the server cannot store.
    static func microsecondsSince2000(_ date: Date) -> Int64? {
        guard let microseconds = Int64(exactly: (date.timeIntervalSinceReferenceDate * 1_000_000).rounded()) else { return nil }
        let (sum, isOver) = microseconds.addingReportingOverflow(microsecondsTo2001)
        return isOver ? nil : sum
    }

    /// Foundation counts seconds from 2001-01-01 as a `Double`, which tells microseconds apart until 2273. Sums are
    /// made in integers.
    private static func date(microsecondsSince2000 microseconds: Int64) -> Date {
        Date(timeIntervalSinceReferenceDate: Double(microseconds - microsecondsTo2001) / 1_000_000)
    }

    /// Microseconds from PostgreSQL's epoch, 2000-01-01, to Foundation's epoch, 2001-01-01.
    private static let microsecondsTo2001: Int64 = 366 * 86400 * 1_000_000
    /// The result of `days` for 2000-01-01.
    private static let daysTo2000: Int64 = 730_425

    /// Days from 0000-03-01 to a day of the Gregorian calendar
    /// (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil).
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let (marchYear, marchMonth) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
        let dayOfYear = (153 * marchMonth + 2) / 5 + day - 1
        return marchYear * 365 + marchYear / 4 - marchYear / 100 + marchYear / 400 + dayOfYear
    }
}

extension Date {
    /// Microseconds since 2000-01-01, as the server counts them, for times within a JSON document.
    /// - Returns: nil for a time that the server cannot store.
    package var microsecondsSince2000: Int64? { TimestampText.microsecondsSince2000(self) }
}
