package import FoundationEssentials

/// A JSON value that a client attaches to an export, and that the farm gives back without interpreting it.
///
/// Numbers keep 38 digits. Equal values have equal texts, because members are sorted by name.
package enum FreeJSON: Hashable, Sendable, Codable {
    case null
    case bool(Bool)
    case number(Decimal)
    case string(String)
    case array([FreeJSON])
    case object([String: FreeJSON])

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // Decoding throws for each kind of value that does not match, so at most one of these succeeds.
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode(Decimal.self), value.isFinite {
            self = .number(value)
        } else if let values = try? container.decode([FreeJSON].self) {
            self = .array(values)
        } else {
            self = .object(try container.decode([String: FreeJSON].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }

    /// Whether a text in it, or the name of a member, has a NUL character, which PostgreSQL cannot store.
    package var hasNUL: Bool {
        switch self {
        case .null, .bool, .number: false
        case .string(let text): text.utf8.contains(0)
        case .array(let values): values.contains(where: \.hasNUL)
        case .object(let members): members.contains { $0.key.utf8.contains(0) || $0.value.hasNUL }
        }
    }

    /// Whether it has everything that another value has: the same value, an object with at least its members, or an
    /// array with at least its elements, each in this sense (PostgreSQL's `@>`).
    package func contains(_ other: FreeJSON) -> Bool {
        switch (self, other) {
        case (.object(let members), .object(let wanted)):
            wanted.allSatisfy { name, value in members[name]?.contains(value) ?? false }
        case (.array(let values), .array(let wanted)): wanted.allSatisfy { value in values.contains { $0.contains(value) } }
        default: self == other
        }
    }
}
