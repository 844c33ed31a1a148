import FarmAPI
import FoundationEssentials

/// The body that a route reads.
package struct RequestBody: Hashable, Sendable {
    package struct Field: Hashable, Sendable {
        package var name: String
        package var meaning: String
        /// What the field's type does not show, such as a range; nil where there is nothing.
        package var schema: JSONSchema?

        init(_ name: String, _ meaning: String, _ schema: JSONSchema? = nil) {
            self.name = name
            self.meaning = meaning
            self.schema = schema
        }
    }

    package var contentType: String
    package var meaning: String
    /// The fields of a JSON object that is described here; empty for other bodies.
    package var fields: [Field] = []
    /// The fields that the route accepts; nil where another document describes the body.
    package var accepted: Set<String>?
    /// What the route decodes; nil where another document describes the body.
    package var type: DecodedType?

    /// A JSON object with a fixed list of fields.
    static func json<Body: StrictBody>(_ type: Body.Type, _ meaning: String, _ fields: [Field]) -> RequestBody {
        RequestBody(
            contentType: "application/json", meaning: meaning, fields: fields, accepted: Body.fields,
            type: DecodedType(Body.self))
    }

    /// A JSON document that is described elsewhere.
    static func json(_ meaning: String) -> RequestBody { RequestBody(contentType: "application/json", meaning: meaning) }

    /// Media of any kind; their type is found out from the bytes.
    static func media(_ meaning: String) -> RequestBody {
        RequestBody(contentType: "application/octet-stream", meaning: meaning)
    }

    /// The schema of the body.
    func schema(by reader: SchemaReader) -> JSONSchema {
        guard contentType == "application/json" else { return .bytes }
        guard let type else { return .object.described(meaning) }
        var schema = type.structure(by: reader)
        let required = Set((schema.tree["required"]?.elements ?? []).compactMap(\.text))
        for field in fields {
            let read = schema.tree["properties"]?[field.name].map { JSONSchema($0) }
            let value = field.schema ?? read ?? .object
            let known = required.contains(field.name) ? value : value.orNull
            schema.tree["properties"]?[field.name] = known.described(field.meaning).tree
        }
        return reader.define(type.name, schema.withoutNUL.with("additionalProperties", false))
    }
}

/// A type that a route reads or answers. Its schema is read when the API is described.
package struct DecodedType: Hashable, Sendable {
    private let id: ObjectIdentifier
    private let readSchema: @Sendable (SchemaReader) -> JSONSchema
    private let readStructure: @Sendable (SchemaReader) -> JSONSchema

    init<Value: Decodable & SendableMetatype>(_ type: Value.Type) {
        id = ObjectIdentifier(type)
        name = SchemaReader.name(of: type)
        readSchema = { $0.schema(of: Value.self) }
        readStructure = { $0.structure(of: Value.self) }
    }

    func schema(by reader: SchemaReader) -> JSONSchema { readSchema(reader) }

    /// The name of the type's component.
    package let name: String

    /// The schema itself and not a reference to it.
    func structure(by reader: SchemaReader) -> JSONSchema { readStructure(reader) }

    package static func == (left: DecodedType, right: DecodedType) -> Bool { left.id == right.id }
    package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// An answer to a request that was carried out.
package struct RouteAnswer: Hashable, Sendable {
    package var status: Int
    /// nil where the answer has no body.
    package var contentType: String?
    package var meaning: String
    /// The type of the body; nil where it is not JSON, or a document that is described elsewhere.
    package var type: DecodedType?
    /// The header fields that matter to clients.
    package var headers: [AnswerHeader]

    init(
        _ status: Int, _ contentType: String?, _ meaning: String, type: DecodedType? = nil, headers: [AnswerHeader] = []
    ) {
        self.status = status
        self.contentType = contentType
        self.meaning = meaning
        self.type = type
        self.headers = headers
    }

    static func json<Value: Decodable & SendableMetatype>(
        _ type: Value.Type, _ meaning: String, status: Int = 200, headers: [AnswerHeader] = []
    ) -> RouteAnswer {
        RouteAnswer(status, "application/json", meaning, type: DecodedType(type), headers: headers)
    }

    /// An answer whose document is described elsewhere.
    static func document(_ meaning: String, headers: [AnswerHeader] = []) -> RouteAnswer {
        RouteAnswer(200, "application/json", meaning, headers: headers)
    }

    /// The answers of a route that sends a file.
    static func file(_ what: String) -> [RouteAnswer] {
        [
            RouteAnswer(200, "of the file", "\(what), with `ETag`", headers: [.eTag]),
            RouteAnswer(
                206, "of the file", "the part that `Range` names, with `Content-Range`", headers: [.eTag, .contentRange]),
            RouteAnswer(304, nil, "`If-None-Match` names this file", headers: [.eTag]),
        ]
    }
}

/// A header field of an answer.
package struct AnswerHeader: Hashable, Sendable {
    package var name: String
    package var meaning: String
    package var schema: JSONSchema

    static let location = AnswerHeader(name: "Location", meaning: "the address of what was created", schema: .string)
    static let eTag = AnswerHeader(name: "ETag", meaning: "identifies these bytes", schema: .string)
    static let contentRange = AnswerHeader(name: "Content-Range", meaning: "which bytes these are", schema: .string)
    static let draftRevision = AnswerHeader(name: "Draft-Revision", meaning: "the number of the revision", schema: .integer)
}
