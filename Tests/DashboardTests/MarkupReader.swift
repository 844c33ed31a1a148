/// Reads the markup of a page as strictly as XML, and says what is wrong: elements that are not closed in order, attributes
/// without quotation marks, elements with the same id, and what the page must not have.
struct MarkupReader {
    private(set) var faults: [String] = []
    private(set) var ids: Set<String> = []
    /// What labels and descriptions refer to.
    private(set) var references: Set<String> = []
    private var open: [String] = []
    private var rest: Substring

    private static let void: Set<String> = ["input", "meta", "link", "br", "hr", "image", "!doctype"]

    /// - Returns: everything that is wrong with a page.
    static func faults(of page: String) -> [String] {
        var reader = MarkupReader(rest: page[...])
        reader.read()
        return reader.faults
    }

    private init(rest: Substring) { self.rest = rest }

    private mutating func read() {
        while let start = rest.firstIndex(of: "<") {
            if rest[..<start].contains(">") { faults.append("a '>' stands outside of elements") }
            rest = rest[rest.index(after: start)...]
            guard let end = tagEnd() else { return faults.append("a tag does not end") }
            tag(rest[..<end])
            rest = rest[rest.index(after: end)...]
        }
        if !open.isEmpty { faults.append("elements stay open: \(open)") }
        let missing = references.subtracting(ids)
        if !missing.isEmpty { faults.append("no element has the id \(missing.sorted())") }
    }

    /// The `>` that ends the tag: one outside of quotation marks.
    private func tagEnd() -> Substring.Index? {
        var isQuoted = false
        for index in rest.indices {
            if rest[index] == "\"" { isQuoted.toggle() }
            if rest[index] == ">", !isQuoted { return index }
        }
        return nil
    }

    private mutating func tag(_ text: Substring) {
        if text.hasPrefix("/") {
            let name = String(text.dropFirst())
            guard open.last == name else { return faults.append("</\(name)> closes \(open.last ?? "nothing")") }
            open.removeLast()
            return
        }
        let isClosed = text.hasSuffix("/")
        let body = isClosed ? text.dropLast() : text
        let name = String(body.prefix { !$0.isWhitespace }).lowercased()
        for (attribute, value) in attributes(body.dropFirst(name.count)) {
            if attribute.hasPrefix("on") || attribute == "style" { faults.append("<\(name)> has the attribute \(attribute)") }
            if attribute == "id", !ids.insert(value).inserted { faults.append("two elements have the id \(value)") }
            if ["for", "aria-labelledby", "aria-describedby", "list"].contains(attribute) { references.insert(value) }
            if attribute == "href" || attribute == "src" || attribute == "action" {
                if !value.hasPrefix("/") && !value.hasPrefix("#") { faults.append("<\(name)> leads to \(value)") }
            }
        }
        if name == "style" { faults.append("the page has a style sheet within") }
        if name == "script", !text.contains("src=\"/ui/assets/") { faults.append("the page has a script within") }
        if !isClosed, !MarkupReader.void.contains(name) { open.append(name) }
    }

    private mutating func attributes(_ text: Substring) -> [(String, String)] {
        var found: [(String, String)] = []
        var rest = text.drop(while: \.isWhitespace)
        while !rest.isEmpty {
            let name = rest.prefix { !$0.isWhitespace && $0 != "=" }
            rest = rest[name.endIndex...]
            guard rest.first == "=" else {
                found.append((name.lowercased(), ""))
                rest = rest.drop(while: \.isWhitespace)
                continue
            }
            rest = rest.dropFirst()
            guard rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") else {
                faults.append("the attribute \(name) has no quotation marks")
                return found
            }
            found.append((name.lowercased(), String(rest[rest.index(after: rest.startIndex)..<end])))
            rest = rest[rest.index(after: end)...].drop(while: \.isWhitespace)
        }
        return found
    }
}
