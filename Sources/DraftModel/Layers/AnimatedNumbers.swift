import Vocabulary

/// The numbers of texts, shapes and generators that may be animated, and those that a draft gives a constant value.
struct AnimatedNumbers {
    private(set) var properties: [AnimatableProperty] = []
    /// The key paths of optional numbers that have a value.
    private(set) var given: [String] = []

    /// - Parameters:
    ///   - source: the source; nil if it could not be read. Then every number that a source may have can be animated.
    ///   - json: the JSON of the source.
    ///   - owner: the key path of the source.
    mutating func add(_ source: LayerSource?, _ json: JSONValue?, at owner: String) {
        if source == nil || source?.type == .text { add(TextNumber.self, json, owner, isRead: source != nil) }
        if source == nil || source?.type == .shape { add(ShapeNumber.self, json, owner, isRead: source != nil) }
        if source == nil || source?.type == .generator { properties.append(PicturePlugin.properties(in: owner)) }
        if let paths = source?.shape?.morphTo?.count {
            let keyPath = "\(owner).\(ShapeNumber.morph.rawValue)"
            for index in properties.indices where properties[index].keyPath == keyPath {
                properties[index].range = 0...Double(paths)
            }
        }
        guard let shape = source?.shape, shape.shape != .rect else { return }
        properties.removeAll { $0.keyPath == "\(owner).\(ShapeNumber.cornerRadius.rawValue)" }
    }

    private mutating func add<Number: AnimatableNumber>(_ type: Number.Type, _ json: JSONValue?, _ owner: String, isRead: Bool) {
        for number in type.allCases {
            let keyPath = "\(owner).\(number.rawValue)"
            if isRead, let part = number.owner, json?.member(part) == nil { continue }
            properties.append(AnimatableProperty(keyPath: keyPath, range: number.range))
            if !number.isRequired, json?.member(number.rawValue) != nil { given.append(keyPath) }
        }
    }
}

extension JSONValue {
    /// The member at a dotted path of names; nil if it is absent or null.
    func member(_ path: String) -> JSONValue? {
        path.split(separator: ".").reduce(Optional(self)) { value, name in
            guard case .object(let members)? = value, let found = members[String(name)], found != .null else { return nil }
            return found
        }
    }
}
