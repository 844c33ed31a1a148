import FarmAPI

/// A schema of a JSON value, in the dialect of JSON Schema that OpenAPI 3.1 uses (draft 2020-12).
package struct JSONSchema: Hashable, Sendable {
    package var tree: JSONTree

    init(_ tree: JSONTree) { self.tree = tree }

    /// Any value.
    static let any = JSONSchema([:])
    static let boolean = JSONSchema(["type": "boolean"])
    static let string = JSONSchema(["type": "string"])
    static let number = JSONSchema(["type": "number"])
    static let integer = JSONSchema(["type": "integer", "format": "int64"])
    /// A date as ISO 8601 in UTC.
    static let date = JSONSchema(["type": "string", "format": "date-time"])
    /// An object that is described elsewhere.
    static let object = JSONSchema(["type": "object"])
    static let null = JSONSchema(["type": "null"])
    /// One event of a stream of server-sent events; OpenAPI 3.1 cannot say that there are many.
    static let serverSentEvent = JSONSchema([
        "type": "object", "properties": ["event": ["type": "string"], "id": ["type": "string"], "data": ["type": "string"]],
        "required": ["data"],
    ])
    /// Bytes.
    static let bytes = JSONSchema(["type": "string", "format": "binary"])

    static func integer(_ range: ClosedRange<Int>) -> JSONSchema {
        JSONSchema([
            "type": "integer", "minimum": .integer(Int64(range.lowerBound)), "maximum": .integer(Int64(range.upperBound)),
        ])
    }

    static func number(_ range: ClosedRange<Double>) -> JSONSchema {
        JSONSchema(["type": "number", "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound)])
    }

    /// A text of so many characters.
    static func string(_ length: ClosedRange<Int>) -> JSONSchema {
        JSONSchema([
            "type": "string", "minLength": .integer(Int64(length.lowerBound)), "maxLength": .integer(Int64(length.upperBound)),
            "pattern": .text(JSONSchema.textWithoutNUL),
        ])
    }

    /// The pattern of texts without NUL, which no request may have: PostgreSQL stores none.
    private static let textWithoutNUL = "^[^\\u0000]*$"

    /// This schema of a request's value, with NUL excluded from all its texts and from the names that a client chooses.
    var withoutNUL: JSONSchema { JSONSchema(JSONSchema.excludingNUL(from: tree)) }

    private static func excludingNUL(from tree: JSONTree) -> JSONTree {
        switch tree {
        case .object(var members):
            members = members.mapValues(excludingNUL)
            let isPlain = members["pattern"] == nil && members["format"] == nil && members["enum"] == nil
            if members["type"]?.text == "string", isPlain { members["pattern"] = .text(textWithoutNUL) }
            if members["additionalProperties"] != nil { members["propertyNames"] = ["pattern": .text(textWithoutNUL)] }
            return .object(members)
        case .array(let elements): return .array(elements.map(excludingNUL))
        case .null, .boolean, .integer, .number, .text: return tree
        }
    }

    /// A text that a regular expression (ECMA-262) matches.
    static func string(pattern: String) -> JSONSchema { JSONSchema(["type": "string", "pattern": .text(pattern)]) }

    static func string(format: String) -> JSONSchema { JSONSchema(["type": "string", "format": .text(format)]) }

    /// One of these texts.
    static func choice(_ values: [String]) -> JSONSchema {
        JSONSchema(["type": "string", "enum": .array(values.map { .text($0) })])
    }

    static func array(of items: JSONSchema) -> JSONSchema { JSONSchema(["type": "array", "items": items.tree]) }

    static func array(of items: JSONSchema, _ count: ClosedRange<Int>) -> JSONSchema {
        array(of: items).with("minItems", .integer(Int64(count.lowerBound)))
            .with("maxItems", .integer(Int64(count.upperBound)))
    }

    /// An object with any names, whose values all have this schema.
    static func map(of values: JSONSchema) -> JSONSchema {
        JSONSchema(["type": "object", "additionalProperties": values.tree])
    }

    /// A value that has one of these schemas or more.
    static func either(_ schemas: [JSONSchema]) -> JSONSchema { JSONSchema(["anyOf": .array(schemas.map(\.tree))]) }

    /// - Parameter required: the names that are always there.
    static func object(_ properties: [String: JSONSchema], required: Set<String>) -> JSONSchema {
        var tree: JSONTree = ["type": "object", "properties": .object(properties.mapValues(\.tree))]
        if !required.isEmpty { tree["required"] = .array(required.sorted().map { .text($0) }) }
        return JSONSchema(tree)
    }

    /// The schema of this name among the components of a description.
    static func component(_ name: String) -> JSONSchema { JSONSchema(["$ref": "#/components/schemas/\(name)"]) }

    /// The same schema or null, which bodies may give instead of leaving a field out.
    var orNull: JSONSchema {
        guard let type = tree["type"]?.text else { return .either([self, .null]) }
        var schema = with("type", [.text(type), "null"])
        if let choices = tree["enum"]?.elements { schema = schema.with("enum", .array(choices + [.null])) }
        return schema
    }

    /// The same schema with a sentence for people.
    func described(_ text: String) -> JSONSchema { with("description", .text(text)) }

    /// The same schema with one more keyword.
    func with(_ keyword: String, _ value: JSONTree) -> JSONSchema {
        var result = self
        result.tree[keyword] = value
        return result
    }
}
