package import FoundationEssentials

/// A value of a JSON object that holds values for merge fields, such as a row of a batch.
package enum DraftValue: Hashable, Sendable {
    /// `null`.
    case none
    /// The text that a merge field becomes: a text itself, a number in its shortest exact form, `true` or `false`.
    case text(String)
    /// A value that is none of these, by its kind: "an array", "an object".
    case other(String)

    /// The members of a JSON object.
    /// - Throws: `DraftError` with one diagnostic if the text is not JSON or not an object.
    package static func members(of data: Data) throws(DraftError) -> [String: DraftValue] {
        let value = try JSONValue.parse(data)
        guard case .object(let members) = value else {
            throw DraftError([DraftDiagnostic(path: "", code: .wrongType, message: "must be an object, not \(value.kind)")])
        }
        return members.mapValues { member in
            switch member {
            case .null, .faulty, .removed: .none
            case .bool, .number, .string, .filledIn: .text(member.writtenOut)
            case .array, .object: .other(member.kind)
            }
        }
    }
}
