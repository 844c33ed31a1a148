import FarmAPI
import FoundationEssentials

/// How the names of files at a destination are made: text with fields of the export in braces, such as
/// `{tenant}/{date}/{label}-{export}.{extension}`.
///
/// The values of fields are strangers' text. In them, everything but letters, digits, `.`, `_` and `-` becomes `-`, so
/// that a value never has a slash, and a name never leaves its place.
package struct KeyTemplate: Hashable, Sendable {
    package enum Field: String, CaseIterable, Hashable, Sendable {
        case export, number, label, tenant, date, `extension`
    }

    /// Why a text is no template, in words that follow it.
    package struct Fault: Error, Hashable, Sendable {
        package var message: String
    }

    private enum Element: Hashable {
        case text(String)
        case field(Field)
    }

    /// How many bytes of a value go into a name; a file's name may have 255.
    static let longestValue = 100

    package let description: String
    private let elements: [Element]

    /// The template of a destination that has none.
    package static let usual = "{export}.{extension}"

    /// - Parameter isName: whether it makes names of files, and not only a value that goes with them.
    /// - Throws: `Fault`.
    package init(_ text: String, isName: Bool = true) throws(Fault) {
        var elements: [Element] = []
        var rest = text[...]
        while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            let end = rest[brace...].firstIndex(of: "}")
            guard rest[brace] == "{", let end else { throw Fault(message: "has a brace without its other one") }
            let name = String(rest[rest.index(after: brace)..<end])
            guard let field = Field(rawValue: name) else {
                let names = Field.allCases.map { "{\($0.rawValue)}" }.joined(separator: ", ")
                throw Fault(message: "has the unknown field '{\(name)}'; known are \(names)")
            }
            if brace > rest.startIndex { elements.append(.text(String(rest[..<brace]))) }
            elements.append(.field(field))
            rest = rest[rest.index(after: end)...]
        }
        if !rest.isEmpty { elements.append(.text(String(rest))) }
        guard !isName || elements.contains(.field(.export)) || elements.contains(.field(.number)) else {
            throw Fault(message: "has neither {export} nor {number}, so that films would replace each other")
        }
        for case .text(let part) in elements where !KeyTemplate.isPlain(part) {
            throw Fault(message: "has other characters than letters, digits, '.', '_', '-', '/' and spaces")
        }
        self.elements = elements
        description = text
        // With plain values it must be a name already, so that a fault is found when the farm starts.
        let sample = elements.map { if case .text(let part) = $0 { part } else { "x" } }.joined()
        let parts = sample.split(separator: "/", omittingEmptySubsequences: false)
        guard !isName || parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }), sample.utf8.count <= 300 else {
            throw Fault(message: "is no relative name of at most 300 bytes without empty parts, '.' and '..'")
        }
    }

    /// The name of a file.
    /// - Parameter fileExtension: without a full stop.
    package func name(for film: OutgoingFilm, fileExtension: String) -> String {
        elements.map { element in
            switch element {
            case .text(let text): text
            case .field(.export): film.export.text
            case .field(.number): "\(film.number)"
            case .field(.label): KeyTemplate.safe(film.label)
            case .field(.tenant): KeyTemplate.safe(film.tenantName)
            case .field(.date): String(film.finishedAt.formatted(.iso8601).prefix(10))
            case .field(.extension): KeyTemplate.safe(fileExtension)
            }
        }.joined()
    }

    /// A value in which nothing has a meaning to a file system, a shell or an address. It begins and ends with a letter, a
    /// digit or `_`, so that no part of a name becomes `..`, a hidden file or an option of a command.
    package static func safe(_ value: String) -> String {
        var safe = ""
        for character in value {
            let isAllowed = character.isLetter || character.isNumber || "._-".contains(character)
            // A letter with hundreds of accents is one character, and has no place in a name.
            let next = isAllowed && character.utf8.count <= 4 ? character : "-"
            if "-.".contains(next), safe.last.map("-.".contains) ?? true { continue }
            guard safe.utf8.count + next.utf8.count <= longestValue else { break }
            safe.append(next)
        }
        while let last = safe.last, "-.".contains(last) { safe.removeLast() }
        return safe.isEmpty ? "untitled" : safe
    }

    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "._-/ ".utf8.contains(byte)
        }
    }
}
