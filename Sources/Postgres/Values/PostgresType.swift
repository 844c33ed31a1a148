/// Types of the server by their object identifiers, which are the same in every installation (`pg_type.dat`).
enum PostgresType {
    static let bool: UInt32 = 16
    static let bytea: UInt32 = 17
    static let int8: UInt32 = 20
    static let int2: UInt32 = 21
    static let int4: UInt32 = 23
    static let text: UInt32 = 25
    static let oid: UInt32 = 26
    static let json: UInt32 = 114
    static let float4: UInt32 = 700
    static let float8: UInt32 = 701
    static let nameArray: UInt32 = 1003
    static let int2Array: UInt32 = 1005
    static let int4Array: UInt32 = 1007
    static let textArray: UInt32 = 1009
    static let varcharArray: UInt32 = 1015
    static let int8Array: UInt32 = 1016
    static let varchar: UInt32 = 1043
    static let timestamp: UInt32 = 1114
    static let timestamptz: UInt32 = 1184
    static let numeric: UInt32 = 1700
    static let uuid: UInt32 = 2950
    static let uuidArray: UInt32 = 2951
    static let jsonb: UInt32 = 3802
    /// The type of a parameter that the server infers from its place in the statement.
    static let inferred: UInt32 = 0

    /// The type's name for messages.
    static func name(_ type: UInt32) -> String {
        names[type] ?? "of type \(type) (see pg_type)"
    }

    private static let names: [UInt32: String] = [
        bool: "bool", bytea: "bytea", int8: "bigint", int2: "smallint", int4: "integer", text: "text", oid: "oid",
        json: "json", float4: "real", float8: "double precision", nameArray: "name[]", int2Array: "smallint[]",
        int4Array: "integer[]", textArray: "text[]", varcharArray: "varchar[]", int8Array: "bigint[]", varchar: "varchar",
        timestamp: "timestamp", timestamptz: "timestamptz", numeric: "numeric", uuid: "uuid", uuidArray: "uuid[]",
        jsonb: "jsonb",
    ]
}
