/// The name of an artifact: sha256 over everything that its bytes depend on. Same key, same bytes.
public struct ArtifactKey: Hashable, Sendable {
    /// 64 lowercase hexadecimal digits.
    public let text: String

    public init(_ text: String) {
        self.text = text
    }
}

extension ArtifactKey: Codable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    public init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
    }
}

extension ArtifactKey: CustomStringConvertible {
    public var description: String { text }
}
