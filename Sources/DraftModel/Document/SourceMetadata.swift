/// The tags of its sources that a film takes over.
package enum SourceMetadata: Hashable, Sendable, Encodable {
    /// None; the default.
    case none
    /// The usual ones of the first clip: what it is, who made it, when, and with which device. Not where.
    case first
    /// The named ones, each from the first clip that has it.
    case tags([String])

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .none: try container.encode("none")
        case .first: try container.encode("first")
        case .tags(let names): try container.encode(names)
        }
    }
}

extension ObjectReader {
    /// Reads `none`, `first`, or a list of names.
    mutating func sourceMetadata(_ name: String) -> SourceMetadata? {
        guard let value = value(name) else { return nil }
        guard case .array(let elements) = value else {
            switch string(name) {
            case "none"?: return SourceMetadata.none
            case "first"?: return .first
            case let text?:
                report(name, .invalidValue, "'\(text)' is not one of none, first, or a list of tags' names")
                return nil
            case nil: return nil
            }
        }
        guard isWithin(DraftLimits.sourceTags, elements.count, name) else { return nil }
        var names: [String] = []
        for (index, element) in elements.enumerated() {
            let place = "\(name)[\(index)]"
            guard let text = element.text else {
                report(place, .wrongType, "must be a tag's name, not \(element.kind)")
                continue
            }
            guard checked(text, place, DraftLimits.nameBytes) else { continue }
            if text.isEmpty || names.contains(text) {
                report(place, .invalidValue, text.isEmpty ? "is empty" : "'\(text)' is there already; leave it out")
                continue
            }
            names.append(text)
        }
        return .tags(names)
    }
}
