import FoundationEssentials

/// An id that is a UUID in lower case, such as those of exports and recordings.
package protocol UUIDIdentifier: Hashable, Sendable, Codable, CustomStringConvertible {
    /// What the id names, for messages.
    static var thing: String { get }

    var text: String { get }

    /// - Parameter lowercased: a UUID in lower case.
    init(lowercased: String)
}

extension UUIDIdentifier {
    /// Makes a new id, different from any other: a UUID of version 7 (RFC 9562, 5.7), which begins with the time. Ids that
    /// are made one after the other lie next to each other in the database's indexes, so that the cost of reading and
    /// changing the newest rows does not grow with the number of all rows.
    package init() {
        self.init(lowercased: UUID.ordered(at: Date()).uuidString.lowercased())
    }

    /// - Returns: nil when the text is no UUID.
    package init?(_ text: String) {
        guard let uuid = UUID(uuidString: text) else { return nil }
        self.init(lowercased: uuid.uuidString.lowercased())
    }

    package var description: String { text }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let name = Self(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(text)' is no \(Self.thing)'s id")
        }
        self = name
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
