/// The version of source facts: of their names in JSON, and of what their values mean.
///
/// Facts of another version, or of none, cannot be decoded, because fields that only one of two versions knows would be
/// taken for missing ones. A source whose stored facts cannot be decoded is probed again.
package struct FactsVersion: Hashable, Sendable, Codable {
    /// Raised together with a migration that removes or rewrites the facts in a farm's database.
    package static let current = 5

    package init() {}

    package init(from decoder: any Decoder) throws {
        let values = try decoder.singleValueContainer()
        let found = try values.decode(Int.self)
        guard found == FactsVersion.current else {
            throw DecodingError.dataCorruptedError(
                in: values,
                debugDescription: "these source facts have version \(found), this program needs \(FactsVersion.current)")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.singleValueContainer()
        try values.encode(FactsVersion.current)
    }
}
