/// Ages and sizes as people write them in settings and flags: `90d`, `12h`, `50GB`, `never`.
package enum Amount {
    /// Units of ages with their seconds.
    private static let ageUnits: [(name: String, seconds: Double)] = [
        ("min", 60), ("h", 3600), ("d", 86_400), ("w", 7 * 86_400),
    ]
    /// Units of sizes with their bytes, as disks are sold.
    private static let sizeUnits: [(name: String, bytes: Int64)] = [
        ("MB", 1_000_000), ("GB", 1_000_000_000), ("TB", 1_000_000_000_000),
    ]

    /// The word for no limit.
    package static let never = "never"

    /// An age in seconds; `.some(nil)` for `never`, nil for a text that is no age. An age has a whole number and a unit,
    /// and is at most a hundred years.
    package static func age(_ text: String) -> Double?? {
        if text == never { return .some(nil) }
        guard let (number, unit) = split(text), let seconds = ageUnits.first(where: { $0.name == unit })?.seconds else {
            return nil
        }
        let age = Double(number) * seconds
        // With `? :` the nil would be one of the inner optional, which means `never`.
        guard age <= 36_525 * 86_400 else { return nil }
        return age
    }

    /// A size in bytes; `.some(nil)` for `never`, nil for a text that is no size. A size has a whole number and a unit,
    /// and is at most a million terabytes.
    package static func size(_ text: String) -> Int64?? {
        if text == never { return .some(nil) }
        guard let (number, unit) = split(text), let bytes = sizeUnits.first(where: { $0.name == unit })?.bytes else {
            return nil
        }
        let (size, overflows) = number.multipliedReportingOverflow(by: bytes)
        guard !overflows, size <= 1_000_000_000_000_000_000 else { return nil }
        return size
    }

    /// How ages and sizes are written, for messages.
    package static let ageForm = "a whole number and min, h, d or w, such as 30d, or never"
    package static let boundedSizeForm = "a whole number and MB, GB or TB, such as 50GB"
    package static let sizeForm = boundedSizeForm + ", or never"

    private static func split(_ text: String) -> (number: Int64, unit: String)? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int64(digits) else { return nil }
        return (number, String(text.dropFirst(digits.count)))
    }
}

extension FarmSettings {
    /// - Returns: seconds; nil for `never`.
    /// - Throws: `Fault` when the value is no age.
    package func age(_ key: SettingKey) throws -> Double? {
        let text = try text(key)
        guard let age = Amount.age(text) else {
            throw Fault(lines: ["\(key.rawValue) has to be \(Amount.ageForm), not '\(text)'"])
        }
        return age
    }

    /// - Returns: bytes; nil for `never`.
    /// - Throws: `Fault` when the value is no size.
    package func size(_ key: SettingKey) throws -> Int64? {
        let text = try text(key)
        guard let size = Amount.size(text) else {
            throw Fault(lines: ["\(key.rawValue) has to be \(Amount.sizeForm), not '\(text)'"])
        }
        return size
    }

    /// - Returns: bytes.
    /// - Throws: `Fault` when the value is no size, or `never`.
    package func boundedSize(_ key: SettingKey) throws -> Int64 {
        let text = try text(key)
        guard case let size?? = Amount.size(text) else {
            throw Fault(lines: ["\(key.rawValue) has to be \(Amount.boundedSizeForm), not '\(text)'"])
        }
        return size
    }

    /// - Returns: the number; nil for `never`.
    /// - Throws: `Fault` when the value is no number of at least 0.
    package func count(_ key: SettingKey) throws -> Int? {
        try text(key) == Amount.never ? nil : try integer(key, in: 0...1_000_000_000)
    }
}
