import Vocabulary

/// An address of the dashboard itself: a path with a query. Each part of it is percent-encoded (RFC 3986), so that no text
/// of a client leads out of its part, or to another host.
package struct Address: Hashable, Sendable {
    package let text: String

    /// - Parameters:
    ///   - path: the parts of the path; none for `/`.
    ///   - query: names and values, in order. Parameters without a value are left out.
    package init(_ path: String..., query: [(String, String?)] = []) {
        self.init(path: path, query: query)
    }

    package init(path: [String], query: [(String, String?)] = []) {
        let parameters = query.compactMap { name, value in
            value.map { "\(Address.encoded(name))=\(Address.encoded($0))" }
        }
        text =
            "/" + path.map(Address.encoded).joined(separator: "/")
            + (parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&"))
    }

    /// An address that a client asked for, if it is one of this dashboard.
    /// - Returns: nil for any other address, such as one with a host.
    package init?(asked text: String) {
        let isOwn = text == "/" || text.hasPrefix("/?") || text.hasPrefix("/ui/")
        let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }
        guard isOwn, isPlain, text.utf8.count <= 2000 else { return nil }
        self.text = text
    }

    private static func encoded(_ text: String) -> String {
        // A path of dots would lead to another folder.
        if text == "." || text == ".." { return text.replacing(".", with: "%2E") }
        return text.percentEncoded()
    }
}

extension Address {
    package static let overview = Address()
    package static let login = Address("ui", "login")
    package static let exports = Address("ui", "exports")
    package static let batches = Address("ui", "batches")
    package static let drafts = Address("ui", "drafts")
    package static let workers = Address("ui", "workers")
    package static let deadLetters = Address("ui", "dead-letters")
    package static let tenants = Address("ui", "tenants")
    package static let tokens = Address("ui", "tokens")

    package static func export(_ id: String, _ more: String...) -> Address { Address(path: ["ui", "exports", id] + more) }

    package static func job(_ id: Int64, _ more: String...) -> Address { Address(path: ["ui", "jobs", "\(id)"] + more) }

    package static func batch(_ id: String, _ more: String...) -> Address { Address(path: ["ui", "batches", id] + more) }

    package static func draft(_ name: String, query: [(String, String?)] = []) -> Address {
        Address(path: ["ui", "drafts", name], query: query)
    }
}
