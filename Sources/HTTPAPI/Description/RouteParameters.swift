import FarmAPI
import FoundationEssentials

/// A parameter in a route's path.
package struct PathParameter: Hashable, Sendable {
    package var name: String
    package var meaning: String
    /// A value that the route can read. It names nothing that exists.
    package var example: String
    package var schema = JSONSchema.string

    static let export = PathParameter(
        name: "id", meaning: "the export's id", example: "00000000-0000-0000-0000-000000000000", schema: ExportID.schema)
    static let picture = PathParameter(
        name: "name", meaning: "the name of a picture beside the film", example: "poster.jpg",
        schema: .string(pattern: "^[a-z0-9.-]{1,32}$"))
    static let streamFile = PathParameter(
        name: "file", meaning: "the name of a file of the stream", example: "main.m3u8",
        schema: .string(pattern: "^[a-z0-9.-]{1,32}$"))
    static let recording = PathParameter(
        name: "id", meaning: "the recording's id", example: "00000000-0000-0000-0000-000000000000", schema: RecordingID.schema)
    static let clip = PathParameter(name: "number", meaning: "the clip's number", example: "1", schema: .integer)
    static let job = PathParameter(name: "id", meaning: "the job's number", example: "1", schema: .integer)
    static let tenant = PathParameter(
        name: "name", meaning: "the tenant's name", example: "t", schema: .string(pattern: "^[a-z0-9][a-z0-9-]{0,62}$"))
    static let token = PathParameter(name: "id", meaning: "the token's number", example: "999", schema: .integer)
    static let worker = PathParameter(name: "id", meaning: "the worker's id, percent-encoded", example: "w")
    static let draft = PathParameter(
        name: "name",
        meaning: "the draft's name: 1...128 of `A-Z`, `a-z`, `0-9`, `.`, `_` and `-`; a letter or a digit is first",
        example: "d", schema: .string(pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$"))
    static let asset = PathParameter(
        name: "hash", meaning: "the sha256 of the asset's bytes, 64 digits `0-9` and `a-f`",
        example: String(repeating: "0", count: 64), schema: .string(pattern: "^[0-9a-f]{64}$"))
}

/// A header field that a route reads.
package struct RequestHeader: Hashable, Sendable {
    package var name: String
    package var meaning: String
    package var schema: JSONSchema

    init(_ name: String, _ meaning: String, _ schema: JSONSchema = .string) {
        self.name = name
        self.meaning = meaning
        self.schema = schema
    }

    static let idempotencyKey = RequestHeader(
        "Idempotency-Key",
        "1...255 printable ASCII characters without spaces. A request that repeats the key of an earlier one makes nothing new "
            + "and answers 200 with the export that exists", .string(pattern: "^[!-~]{1,255}$"))
    /// The key of a request whose answer is kept.
    static let answerKey = RequestHeader(
        idempotencyKey.name,
        "1...255 printable ASCII characters without spaces. For a day, a request that repeats the key of an earlier one is not "
            + "carried out, and has the same answer. 409 where that one was another request, is under way, or had a secret "
            + "in its answer", idempotencyKey.schema)
    /// The fields by which a file is asked for under conditions or in part.
    static let ofFiles = [
        RequestHeader("Range", "one range of bytes"),
        RequestHeader("If-Range", "the range counts only while the file has this `ETag`"),
        RequestHeader("If-Match", "412 unless the file has one of these `ETag`s"),
        RequestHeader("If-None-Match", "304 if the file has one of these `ETag`s"),
    ]
}

/// A parameter of a route's query.
package struct QueryParameter: Hashable, Sendable {
    package var name: String
    /// The type and range of the values.
    package var values: String
    /// What is used when the parameter is left out; nil where nothing is.
    package var fallback: String?
    package var meaning: String
    package var schema: JSONSchema

    init(_ name: String, _ values: String, default fallback: String? = nil, _ meaning: String, _ schema: JSONSchema) {
        self.name = name
        self.values = values
        self.fallback = fallback
        self.meaning = meaning
        self.schema = schema
    }

    static func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, _ type: Choice.Type, _ meaning: String
    ) -> QueryParameter where Choice.RawValue == String {
        let values = Choice.allCases.map(\.rawValue)
        return QueryParameter(
            name, "one of " + values.map { "`\($0)`" }.joined(separator: ", "), meaning, .choice(values))
    }

    /// The parameters of a listing that is given in pages.
    static let page = [
        QueryParameter("limit", "1...1000", default: "100", "how many are on the page at most", .integer(1...1000)),
        QueryParameter("cursor", "the `next` of the page before", "the next page is listed", .string),
    ]
}
