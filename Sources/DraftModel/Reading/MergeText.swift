/// A text with merge fields that is filled in by itself, such as the file name `{{name}}-{{lang}}.mp4` of a batch's films.
package struct MergeText: Hashable, Sendable {
    package enum Segment: Hashable, Sendable {
        case literal(String)
        case field(String)
    }

    package let segments: [Segment]

    package init(_ text: String) {
        var segments: [Segment] = []
        var rest = Substring(text)
        while let open = rest.range(of: "{{"), let close = rest[open.upperBound...].range(of: "}}") {
            if open.lowerBound > rest.startIndex { segments.append(.literal(String(rest[..<open.lowerBound]))) }
            segments.append(.field(String(rest[open.upperBound..<close.lowerBound]).trimmedSpaces))
            rest = rest[close.upperBound...]
        }
        if !rest.isEmpty { segments.append(.literal(String(rest))) }
        self.segments = segments
    }

    /// The names of the merge fields.
    package var fieldNames: Set<String> {
        Set(
            segments.compactMap { segment in
                if case .field(let name) = segment { name } else { nil }
            })
    }

    /// The text with values in the places of its merge fields. A field without a value becomes empty.
    package func filled(with values: [String: String]) -> String {
        segments.reduce(into: "") { text, segment in
            switch segment {
            case .literal(let literal): text += literal
            case .field(let name): text += values[name] ?? ""
            }
        }
    }
}
