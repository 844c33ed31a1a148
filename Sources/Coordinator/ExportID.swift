#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The name of an export: a UUID in lower case.
public struct ExportID: Hashable, Sendable, Comparable {
    public let text: String

    /// A new one, unlike any other.
    public init() {
        text = UUID().uuidString.lowercased()
    }

    /// - Returns: nil when the text is no UUID.
    public init?(_ text: String) {
        guard let uuid = UUID(uuidString: text) else { return nil }
        self.text = uuid.uuidString.lowercased()
    }

    public static func < (left: ExportID, right: ExportID) -> Bool { left.text < right.text }
}

extension ExportID: CustomStringConvertible {
    public var description: String { text }
}

extension ExportID: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let id = ExportID(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(text)' is no export's id")
        }
        self = id
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
