import Coordinator
import FarmAPI
import Hummingbird

/// The names and values of `a=b&c=d`, as queries of addresses and forms have them, each decoded once.
struct NamedTexts: Sendable {
    /// The character that stands for a space beside `%20`.
    enum Space {
        /// `+` stands for itself, as everywhere in an address (RFC 3986).
        case percent
        /// `+` stands for a space, as browsers send forms (URL Standard, section 5.1).
        case plus
    }

    private(set) var all: [(name: String, value: String)] = []

    /// - Throws: `RequestFault` `badRequest` for escapes that are none, for text that is not UTF-8, and for NUL, which the
    ///   database does not store.
    init(_ text: some StringProtocol, space: Space) throws {
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = try NamedTexts.decoded(parts[0], space, in: parts[0])
            all.append((name, parts.count > 1 ? try NamedTexts.decoded(parts[1], space, in: parts[0]) : ""))
        }
    }

    /// The fields of a form (`application/x-www-form-urlencoded`).
    /// - Throws: `RequestFault` `badRequest`.
    init(form bytes: some Sequence<UInt8>) throws {
        guard let text = String(validating: Array(bytes), as: UTF8.self) else {
            throw RequestFault(.badRequest, "the form cannot be read: it is not UTF-8")
        }
        try self.init(text, space: .plus)
    }

    private static func decoded(
        _ text: some StringProtocol, _ space: Space, in name: some StringProtocol
    ) throws -> String {
        let text = space == .plus ? String(text).replacing("+", with: " ") : String(text)
        guard let decoded = text.percentDecoded else {
            throw RequestFault(
                .badRequest,
                "'\(name.prefix(40))' cannot be read: a percent sign is written %25, and text is UTF-8")
        }
        try TextCheck.noNUL(decoded, String(name.prefix(40)))
        return decoded
    }

    func values(_ name: String) -> [String] { all.filter { $0.name == name }.map(\.value) }

    /// The last value; nil where the name is absent or its value is empty, as fields of a form are that say nothing.
    subscript(name: String) -> String? { all.last { $0.name == name }.flatMap { $0.value.isEmpty ? nil : $0.value } }

    /// - Throws: `RequestFault` `badRequest` for a text that is no number; nil where the name is absent.
    func integer<Number: FixedWidthInteger>(_ name: String, _ type: Number.Type = Int.self) throws -> Number? {
        guard let text = self[name] else { return nil }
        guard let number = Number(text) else { throw RequestFault(.badRequest, "'\(text.prefix(40))' is not a whole number") }
        return number
    }
}

extension Request {
    /// The parameters of the query.
    /// - Throws: `RequestFault` `badRequest`.
    func parameters(space: NamedTexts.Space = .percent) throws -> NamedTexts {
        try NamedTexts(uri.query ?? "", space: space)
    }
}
