/// Markup of a page. Every page of the dashboard is a value of this type.
///
/// A literal is markup; everything that is put into one is text and is escaped, unless it is `HTML` itself:
///
///     let cell: HTML = "<td title=\"\(export.label)\">\(link)</td>"
///
/// Nothing but a literal of the source becomes markup: literals are `StaticString`s, so that a text that is made while the
/// program runs cannot be one, and no initializer takes a text as markup. Values stand between tags and in quoted
/// attributes; addresses are `Address`es. There are no scripts and no styles within pages.
package struct HTML: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// The markup as it is sent.
    package let text: String

    package init(stringLiteral literal: StaticString) { text = literal.description }

    package init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

    fileprivate init(joined parts: [HTML]) { text = parts.map(\.text).joined() }

    package static let none: HTML = ""

    package var isEmpty: Bool { text.isEmpty }

    /// The parts of a literal, with values between them.
    package struct Interpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 32 * interpolationCount)
        }

        package mutating func appendLiteral(_ literal: StaticString) { text += literal.description }

        package mutating func appendInterpolation(_ value: String) { text += HTML.escaped(value) }

        package mutating func appendInterpolation(_ value: some BinaryInteger) { text += String(value) }

        package mutating func appendInterpolation(_ markup: HTML) { text += markup.text }

        package mutating func appendInterpolation(_ markup: [HTML]) { for part in markup { text += part.text } }

        package mutating func appendInterpolation(_ address: Address) { text += HTML.escaped(address.text) }
    }

    /// The text in which no character ends an element or an attribute.
    private static func escaped(_ value: String) -> String {
        guard value.utf8.contains(where: { $0 < 0x40 && isSpecial($0) }) else { return value }
        var text = ""
        text.reserveCapacity(value.utf8.count + 16)
        for character in value.unicodeScalars {
            switch character {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "'": text += "&#39;"
            // Control characters are no characters of HTML.
            case _ where character.value < 0x20 && !["\t", "\n", "\r"].contains(character): text += "\u{FFFD}"
            default: text.unicodeScalars.append(character)
            }
        }
        return text
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x22 || byte == 0x26 || byte == 0x27 || byte == 0x3C || byte == 0x3E
    }
}

extension Sequence where Element == HTML {
    /// The parts one after the other.
    package var joined: HTML { HTML(joined: Array(self)) }
}

/// The markup where a condition holds, and nothing where it does not.
package func when(_ condition: Bool, _ markup: @autoclosure () -> HTML) -> HTML { condition ? markup() : .none }

/// The markup of a value, and nothing where there is none.
package func when<Value>(_ value: Value?, _ markup: (Value) -> HTML) -> HTML { value.map(markup) ?? .none }
