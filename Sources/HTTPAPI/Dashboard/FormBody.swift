import FarmAPI
import Hummingbird
import FoundationEssentials

/// The fields of a form (`application/x-www-form-urlencoded`).
struct FormBody: Sendable {
    private let fields: [(name: String, value: String)]

    /// - Throws: `RequestFault` `badRequest`.
    init(_ body: some Sequence<UInt8>) throws {
        let malformed = RequestFault(.badRequest, "the form cannot be read")
        guard let text = String(validating: Array(body), as: UTF8.self) else { throw malformed }
        fields = try text.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let decoded = try parts.map { part -> String in
                guard let text = String(part).replacing("+", with: " ").percentDecoded, !text.utf8.contains(0) else {
                    throw malformed
                }
                return text
            }
            return (decoded[0], decoded.count > 1 ? decoded[1] : "")
        }
    }

    /// The value of a field; nil where it is absent or empty.
    subscript(name: String) -> String? {
        fields.last { $0.name == name }.flatMap { $0.value.isEmpty ? nil : $0.value }
    }

    func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    /// - Throws: `RequestFault` `badRequest` for a text that is no number; nil where the field is absent.
    func integer<Number: FixedWidthInteger>(_ name: String, _ type: Number.Type = Int.self) throws -> Number? {
        guard let text = self[name] else { return nil }
        guard let number = Number(text) else { throw RequestFault(.badRequest, "'\(text.prefix(40))' is not a whole number") }
        return number
    }
}
