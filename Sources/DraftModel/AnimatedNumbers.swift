import Vocabulary

/// What may be animated of a drawing, and what the draft gives of it: by the lists of numbers, from the JSON of the source.
struct AnimatedNumbers {
    private(set) var properties: [AnimatableProperty] = []
    /// Numbers that have a value and need none.
    private(set) var given: [String] = []

    /// - Parameters:
    ///   - source: nil where it could not be read: everything that a source may have can be animated then.
    ///   - json: of the source.
    ///   - owner: its key path.
    mutating func add(_ source: LayerSource?, _ json: JSONValue?, at owner: String) {
        if source == nil || source?.type == .text { add(TextNumber.self, json, owner, isRead: source != nil) }
        if source == nil || source?.type == .shape { add(ShapeNumber.self, json, owner, isRead: source != nil) }
        guard let shape = source?.shape, shape.shape != .rect else { return }
        properties.removeAll { $0.keyPath == "\(owner).\(ShapeNumber.cornerRadius.rawValue)" }
    }

    private mutating func add<Number: DrawnNumber>(_ type: Number.Type, _ json: JSONValue?, _ owner: String, isRead: Bool) {
        for number in type.allCases {
            let keyPath = "\(owner).\(number.rawValue)"
            if isRead, let part = number.owner, json?.member(part) == nil { continue }
            properties.append(AnimatableProperty(keyPath: keyPath, range: number.range))
            if !number.isRequired, json?.member(number.rawValue) != nil { given.append(keyPath) }
        }
    }
}

extension JSONValue {
    /// What an object has at a path of names; nil where it has nothing.
    func member(_ path: String) -> JSONValue? {
        path.split(separator: ".").reduce(Optional(self)) { value, name in
            guard case .object(let members)? = value, let found = members[String(name)], found != .null else { return nil }
            return found
        }
    }
}
