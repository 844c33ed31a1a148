package import FoundationEssentials

/// A parameter of a statement, or a field of a row.
///
/// The server is told the type of every parameter except `null`, `text` and `json`. These take the type of their place
/// in the statement, so that text goes into enums, intervals and the like without a cast. Where their place has no type
/// of its own (`SELECT $1`), they are text.
package enum PostgresValue: Sendable, Hashable {
    case null
    case bool(Bool)
    /// `bigint`; fields of type `smallint`, `integer` and `oid` too.
    case int64(Int64)
    /// `double precision`; fields of type `real` too.
    case double(Double)
    /// Text. As a field, also every type that has no case of its own, as the server writes it.
    case text(String)
    /// `bytea`.
    case bytes([UInt8])
    /// A JSON document; for `json` and `jsonb` alike.
    case json(String)
    /// An instant, to the microsecond (until 2273): `timestamptz`. A field of type `timestamp` is taken as UTC.
    case timestamp(Date)
    /// `uuid`; as a field in lower case.
    case uuid(String)
    /// A number of any precision in digits, such as `sum` over `bigint` gives.
    case numeric(String)
    /// `text[]` of one dimension; fields of `varchar[]`, `name[]` and `uuid[]` too.
    case textArray([String?])
    /// `bigint[]` of one dimension; fields of `integer[]` and `smallint[]` too.
    case int64Array([Int64?])

    /// The value as a parameter, or null where there is none: `.optional(name, PostgresValue.text)`.
    package static func optional<Wrapped>(_ value: Wrapped?, _ make: (Wrapped) -> PostgresValue) -> PostgresValue {
        value.map(make) ?? .null
    }
}

extension PostgresValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral
{
    package init(nilLiteral: ()) { self = .null }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int64) { self = .int64(value) }
    package init(floatLiteral value: Double) { self = .double(value) }
    package init(stringLiteral value: String) { self = .text(value) }
}
