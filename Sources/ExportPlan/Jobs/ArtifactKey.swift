/// The name of an artifact: the sha256 of everything that its bytes depend on. The same key means the same bytes.
package struct ArtifactKey: Hashable, Sendable {
    /// 64 lowercase hexadecimal digits.
    package let text: String

    package init(_ text: String) {
        self.text = text
    }
}

extension ArtifactKey: Codable {
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    package init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
    }
}

extension ArtifactKey: CustomStringConvertible {
    package var description: String { text }
}
