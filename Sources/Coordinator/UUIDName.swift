#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A name that is a UUID in lower case: what exports and recordings are called by.
public protocol UUIDName: Hashable, Sendable, Codable, CustomStringConvertible {
    /// What it names, for messages.
    static var thing: String { get }

    var text: String { get }

    /// - Parameter lowercased: a UUID in lower case.
    init(lowercased: String)
}

extension UUIDName {
    /// A new one, unlike any other.
    public init() {
        self.init(lowercased: UUID().uuidString.lowercased())
    }

    /// - Returns: nil when the text is no UUID.
    public init?(_ text: String) {
        guard let uuid = UUID(uuidString: text) else { return nil }
        self.init(lowercased: uuid.uuidString.lowercased())
    }

    public var description: String { text }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let name = Self(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(text)' is no \(Self.thing)'s id")
        }
        self = name
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
