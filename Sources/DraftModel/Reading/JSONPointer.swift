/// A JSON Pointer (RFC 6901), as in `/mainTrackClips/0/volume`. The empty text points to the whole document.
struct JSONPointer: Equatable, Sendable, CustomStringConvertible {
    /// The reason why a pointer points to nothing.
    struct Fault: Error {
        var message: String
    }

    private let names: [String]

    /// - Parameter names: the names of members and the indexes of elements, from the root on.
    init(names: [String]) {
        self.names = names
    }

    init?(_ text: String) {
        guard text.isEmpty || text.hasPrefix("/") else { return nil }
        var names: [String] = []
        for part in text.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            guard let name = JSONPointer.unescaped(part) else { return nil }
            names.append(name)
        }
        self.names = names
    }

    var description: String {
        names.map { name in
            "/" + name.reduce(into: "") { $0 += $1 == "~" ? "~0" : $1 == "/" ? "~1" : String($1) }
        }.joined()
    }

    private static func unescaped(_ part: Substring) -> String? {
        var name = ""
        var rest = part[...]
        while let character = rest.popFirst() {
            guard character == "~" else {
                name.append(character)
                continue
            }
            switch rest.popFirst() {
            case "0": name.append("~")
            case "1": name.append("/")
            default: return nil
            }
        }
        return name
    }

    /// Whether the pointer points into the value of another one.
    func isInside(_ other: JSONPointer) -> Bool { names.count > other.names.count && names.starts(with: other.names) }

    func value(in document: JSONValue) throws(Fault) -> JSONValue {
        var value = document
        for (depth, name) in names.enumerated() {
            switch value {
            case .object(let members):
                guard let member = members[name] else { throw missing(depth) }
                value = member
            case .array(let elements):
                value = elements[try index(name, depth, below: elements.count)]
            default: throw missing(depth)
            }
        }
        return value
    }

    /// Adds a value. In an array it is inserted before the element at the index (`-` is the end); in an object it
    /// replaces the member.
    func add(_ value: JSONValue, to document: inout JSONValue) throws(Fault) {
        guard let last = names.last else {
            document = value
            return
        }
        try change(&document) { parent throws(Fault) in
            switch parent {
            case .object(var members):
                members[last] = value
                parent = .object(members)
            case .array(var elements):
                let place = last == "-" ? elements.count : try index(last, names.count - 1, below: elements.count + 1)
                elements.insert(value, at: place)
                parent = .array(elements)
            default: throw missing(names.count - 1)
            }
        }
    }

    func remove(from document: inout JSONValue) throws(Fault) -> JSONValue {
        let removed = try value(in: document)
        guard let last = names.last else { throw Fault(message: "the whole document cannot be removed") }
        try change(&document) { parent throws(Fault) in
            switch parent {
            case .object(var members):
                members[last] = nil
                parent = .object(members)
            case .array(var elements):
                elements.remove(at: try index(last, names.count - 1, below: elements.count))
                parent = .array(elements)
            default: throw missing(names.count - 1)
            }
        }
        return removed
    }

    func replace(with value: JSONValue, in document: inout JSONValue) throws(Fault) {
        guard !names.isEmpty else {
            document = value
            return
        }
        _ = try remove(from: &document)
        try add(value, to: &document)
    }

    /// Changes the array or object that contains the place.
    private func change(
        _ document: inout JSONValue, depth: Int = 0, _ body: (inout JSONValue) throws(Fault) -> Void
    ) throws(Fault) {
        guard depth < names.count - 1 else { return try body(&document) }
        switch document {
        case .object(var members):
            guard var member = members[names[depth]] else { throw missing(depth) }
            try change(&member, depth: depth + 1, body)
            members[names[depth]] = member
            document = .object(members)
        case .array(var elements):
            let place = try index(names[depth], depth, below: elements.count)
            try change(&elements[place], depth: depth + 1, body)
            document = .array(elements)
        default: throw missing(depth)
        }
    }

    private func index(_ name: String, _ depth: Int, below limit: Int) throws(Fault) -> Int {
        // Texts such as "01" and "+1" are not valid indices.
        guard let index = Int(name), String(index) == name, (0..<limit).contains(index) else { throw missing(depth) }
        return index
    }

    private func missing(_ depth: Int) -> Fault {
        Fault(message: "there is no '\(names[...depth].map { "/" + $0 }.joined())'")
    }
}
