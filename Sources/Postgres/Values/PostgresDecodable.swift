package import FoundationEssentials

/// A type that fields of rows can be read as.
package protocol PostgresDecodable {
    /// - Returns: nil when the field is of another type or does not fit.
    init?(_ field: PostgresValue)
}

extension Bool: PostgresDecodable {
    package init?(_ field: PostgresValue) {
        guard case .bool(let value) = field else { return nil }
        self = value
    }
}

extension Int64: PostgresDecodable {
    /// Integers of every width, and a `numeric` that is written without a point.
    package init?(_ field: PostgresValue) {
        switch field {
        case .int64(let value): self = value
        case .numeric(let digits): self.init(digits)
        default: return nil
        }
    }
}

extension Int: PostgresDecodable {
    package init?(_ field: PostgresValue) {
        guard let value = Int64(field) else { return nil }
        self.init(exactly: value)
    }
}

extension Int32: PostgresDecodable {
    package init?(_ field: PostgresValue) {
        guard let value = Int64(field) else { return nil }
        self.init(exactly: value)
    }
}

extension Double: PostgresDecodable {
    /// `real`, `double precision`, and the nearest number to a `numeric`.
    package init?(_ field: PostgresValue) {
        switch field {
        case .double(let value): self = value
        case .numeric(let digits): self.init(digits)
        default: return nil
        }
    }
}

extension String: PostgresDecodable {
    /// Text, JSON, UUIDs, exact numbers, and every type that has no case of its own in `PostgresValue`.
    package init?(_ field: PostgresValue) {
        switch field {
        case .text(let text), .json(let text), .uuid(let text), .numeric(let text): self = text
        default: return nil
        }
    }
}

extension Date: PostgresDecodable {
    package init?(_ field: PostgresValue) {
        guard case .timestamp(let value) = field else { return nil }
        self = value
    }
}

/// An element of an array, or a byte of `bytea`.
package protocol PostgresElement {
    /// - Returns: nil when the field holds no such elements.
    static func elements(_ field: PostgresValue) -> [Self]?
}

extension Array: PostgresDecodable where Element: PostgresElement {
    package init?(_ field: PostgresValue) {
        guard let elements = Element.elements(field) else { return nil }
        self = elements
    }
}

extension UInt8: PostgresElement {
    package static func elements(_ field: PostgresValue) -> [UInt8]? {
        guard case .bytes(let bytes) = field else { return nil }
        return bytes
    }
}

/// An element of an array in the database, where each element may be null.
package protocol PostgresArrayElement: PostgresElement {
    /// - Returns: nil when the field holds no such elements.
    static func nullableElements(_ field: PostgresValue) -> [Self?]?
}

extension PostgresArrayElement {
    /// Nil also when an element is null; an array of optionals accepts null elements.
    package static func elements(_ field: PostgresValue) -> [Self]? {
        nullableElements(field).flatMap { elements in
            let present = elements.compactMap(\.self)
            return present.count == elements.count ? present : nil
        }
    }
}

extension String: PostgresArrayElement {
    package static func nullableElements(_ field: PostgresValue) -> [String?]? {
        guard case .textArray(let elements) = field else { return nil }
        return elements
    }
}

extension Int64: PostgresArrayElement {
    package static func nullableElements(_ field: PostgresValue) -> [Int64?]? {
        guard case .int64Array(let elements) = field else { return nil }
        return elements
    }
}

extension Optional: PostgresElement where Wrapped: PostgresArrayElement {
    package static func elements(_ field: PostgresValue) -> [Wrapped?]? { Wrapped.nullableElements(field) }
}

extension Optional: PostgresDecodable where Wrapped: PostgresDecodable {
    package init?(_ field: PostgresValue) {
        if case .null = field {
            self = Wrapped?.none
        } else {
            guard let value = Wrapped(field) else { return nil }
            self = Wrapped?.some(value)
        }
    }
}
