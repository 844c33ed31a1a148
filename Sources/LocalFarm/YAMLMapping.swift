package import FoundationEssentials

/// The names and values of a YAML file, in the order of the file. `FarmSettings` reads its file with it. A name stands
/// once. Aliases are followed but never expanded into copies, so a small file cannot take much memory.
package struct YAMLMapping: Sendable {
    /// What a name stands for. Texts are as they are written: `~`, `null` and `4` are texts, and nothing is "".
    package enum Value: Sendable, Equatable {
        case scalar(String)
        case list([String])
        /// A mapping, or a list that has more than texts in it.
        case nested
    }

    /// A name with its value.
    package struct Entry: Sendable, Equatable {
        package var key: String
        package var value: Value
        /// Where the name stands.
        package var position: YAMLPosition

        package init(key: String, value: Value, position: YAMLPosition) {
            self.key = key
            self.value = value
            self.position = position
        }
    }

    /// Levels of lists and mappings within each other. libyaml has no limit and takes a time that grows with the square.
    private static let maximumDepth = 100
    /// Characters of a name. YAML has the same limit for names without `?`, and messages repeat the name.
    private static let maximumKeyLength = 1024

    /// None where the file is empty or has only comments.
    package private(set) var entries: [Entry] = []

    /// The values that aliases may name, by the names of their anchors. An anchor may be given again.
    private var anchors: [String: Value] = [:]

    /// - Parameter data: UTF-8, with or without a byte order mark.
    /// - Throws: `YAMLFault` for what is not YAML, a top level that is not a mapping, a name that stands twice or is not
    ///   one text, a NUL character, and a second document.
    package init(_ data: Data) throws {
        var parser = try YAMLParser(data)
        while true {
            let event = try parser.next()
            switch event.kind {
            case .streamStart, .documentStart: continue
            case .streamEnd: return
            case .mappingStart:
                try readEntries(&parser)
                try expectEnd(&parser)
                return
            default: throw YAMLFault(.notAMapping, "the top level is not a mapping", at: event.position)
            }
        }
    }

    private mutating func readEntries(_ parser: inout YAMLParser) throws {
        var places: [String: YAMLPosition] = [:]
        while true {
            let event = try parser.next()
            if case .mappingEnd = event.kind { return }
            guard case .scalar(let key) = try value(of: event, &parser) else {
                throw YAMLFault(.syntax, "a name is a list or a mapping", at: event.position)
            }
            guard key.unicodeScalars.count <= YAMLMapping.maximumKeyLength else {
                throw YAMLFault(
                    .syntax, "a name has more than \(YAMLMapping.maximumKeyLength) characters", at: event.position)
            }
            if let first = places.updateValue(event.position, forKey: key) {
                throw YAMLFault(.syntax, "'\(key)' stands twice; it is also in line \(first.line)", at: event.position)
            }
            let value = try value(of: parser.next(), &parser)
            entries.append(Entry(key: key, value: value, position: event.position))
        }
    }

    /// Reads to the end of the file, so that a fault after the mapping is found.
    private func expectEnd(_ parser: inout YAMLParser) throws {
        while true {
            let event = try parser.next()
            if case .streamEnd = event.kind { return }
            guard case .documentEnd = event.kind else {
                throw YAMLFault(.syntax, "a second document begins here, and only one is read", at: event.position)
            }
        }
    }

    /// The value that begins with `event`; the parser then is behind it.
    private mutating func value(of event: YAMLEvent, _ parser: inout YAMLParser) throws -> Value {
        switch event.kind {
        case .alias(let name): return try anchored(name, event.position)
        case .scalar(let text, let anchor): return try scalar(text, anchor, event.position)
        case .sequenceStart(let anchor): return try list(anchor, &parser)
        case .mappingStart(let anchor):
            try skip(&parser)
            return remember(.nested, anchor)
        default: throw YAMLFault(.syntax, "a value is missing", at: event.position)
        }
    }

    /// A list, whose start the parser has passed. One item that is not a text makes all of it `nested`.
    private mutating func list(_ anchor: String?, _ parser: inout YAMLParser) throws -> Value {
        var items: [String] = []
        var isNested = false
        while true {
            let event = try parser.next()
            var item = Value.nested
            switch event.kind {
            case .sequenceEnd: return remember(isNested ? .nested : .list(items), anchor)
            case .alias(let name): item = try anchored(name, event.position)
            case .scalar(let text, let anchor): item = try scalar(text, anchor, event.position)
            case .sequenceStart(let anchor), .mappingStart(let anchor):
                try skip(&parser)
                _ = remember(.nested, anchor)
            default: break
            }
            if case .scalar(let text) = item { items.append(text) } else { isNested = true }
        }
    }

    /// Passes the rest of a list or mapping. It counts levels instead of calling itself, so that no file overflows the
    /// stack.
    private mutating func skip(_ parser: inout YAMLParser) throws {
        var depth = 1
        while depth > 0 {
            let event = try parser.next()
            switch event.kind {
            case .alias(let name): _ = try anchored(name, event.position)
            case .scalar(let text, let anchor): _ = try scalar(text, anchor, event.position)
            case .sequenceStart(let anchor), .mappingStart(let anchor):
                _ = remember(.nested, anchor)
                depth += 1
            case .sequenceEnd, .mappingEnd: depth -= 1
            default: break
            }
            if depth > YAMLMapping.maximumDepth {
                throw YAMLFault(
                    .syntax, "more than \(YAMLMapping.maximumDepth) lists and mappings lie within each other",
                    at: event.position)
            }
        }
    }

    private mutating func scalar(_ text: String, _ anchor: String?, _ position: YAMLPosition) throws -> Value {
        // A path or an address with a NUL would end there for the system.
        guard !text.utf8.contains(0) else { throw YAMLFault(.syntax, "a text has a NUL character", at: position) }
        return remember(.scalar(text), anchor)
    }

    private func anchored(_ name: String, _ position: YAMLPosition) throws -> Value {
        guard let value = anchors[name] else {
            throw YAMLFault(.syntax, "'*\(name.prefix(100))' names nothing that stands before it", at: position)
        }
        return value
    }

    private mutating func remember(_ value: Value, _ anchor: String?) -> Value {
        if let anchor { anchors[anchor] = value }
        return value
    }
}
