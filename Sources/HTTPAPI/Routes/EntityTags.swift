import HTTPTypes
import Hummingbird

/// The value of an `If-None-Match` or `If-Match` header (RFC 9110, sections 8.8.3 and 13.1): any tag, or a list of
/// tags.
///
/// Text that is not an entity tag matches nothing; a header that cannot be read at all becomes an empty list.
enum EntityTags: Equatable {
    /// `*`: matches any file that exists.
    case any
    case list([Tag])

    struct Tag: Equatable {
        /// The text between the quotation marks.
        var opaque: String
        var isWeak: Bool
    }

    /// - Parameter lines: every line of the header, in order.
    init(_ lines: [String]) {
        let text = lines.joined(separator: ",")
        if EntityTags.trimmed(text[...]) == "*" {
            self = .any
            return
        }
        var tags: [Tag] = []
        var rest = text[...]
        while let tag = EntityTags.next(&rest) { tags.append(tag) }
        self = .list(tags)
    }

    /// The weak comparison, for `If-None-Match`: weak tags match like strong ones.
    func matchesWeakly(_ opaque: String) -> Bool {
        switch self {
        case .any: true
        case .list(let tags): tags.contains { $0.opaque == opaque }
        }
    }

    /// The strong comparison, for `If-Match` and `If-Range`: a weak tag never matches.
    func matchesStrongly(_ opaque: String) -> Bool {
        switch self {
        case .any: true
        case .list(let tags): tags.contains { $0.opaque == opaque && !$0.isWeak }
        }
    }

    /// The next tag of the list. Malformed text before it is skipped up to the next comma.
    private static func next(_ rest: inout Substring) -> Tag? {
        while !rest.isEmpty {
            rest = rest.drop { $0 == "," || $0 == " " || $0 == "\t" }
            let isWeak = rest.hasPrefix("W/")
            let quoted = isWeak ? rest.dropFirst(2) : rest
            if quoted.first == "\"", let end = quoted.dropFirst().firstIndex(of: "\"") {
                let opaque = quoted[quoted.index(after: quoted.startIndex)..<end]
                rest = rest[quoted.index(after: end)...]
                return Tag(opaque: String(opaque), isWeak: isWeak)
            }
            rest = rest.drop { $0 != "," }
        }
        return nil
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}

extension Request {
    /// The tags that a header names; nil where the request has no such header.
    func entityTags(_ header: HTTPField.Name) -> EntityTags? {
        let lines = headers[values: header]
        return lines.isEmpty ? nil : EntityTags(lines)
    }
}
