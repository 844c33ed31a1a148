import Postgres
import TestSupport
import Testing
import FoundationEssentials

@Suite("Values", .timeLimit(.minutes(2)))
struct ValueTests {
    private static let unicode = "Grüße, 世界 👩‍👩‍👧 \u{1F600} \t\n\r\\ '\"{},NULL"

    private static let roundTrips: [(PostgresValue, type: String)] = [
        (nil, "text"), (nil, "bigint"), (nil, "bytea"), (nil, "timestamptz"),
        (true, "boolean"), (false, "boolean"),
        (0, "bigint"), (-1, "integer"), (12, "smallint"), (.int64(.max), "bigint"), (.int64(.min), "bigint"),
        (0.0, "float8"), (-0.1, "float8"), (1e300, "float8"), (.double(.leastNonzeroMagnitude), "float8"),
        (.double(.infinity), "float8"),
        (.double(-.infinity), "float8"), (0.25, "real"),
        ("", "text"), (.text(unicode), "text"), (.text(String(repeating: "ä", count: 1_000_000)), "text"),
        (.bytes([]), "bytea"), (.bytes([0, 0, 255, 92, 120, 39]), "bytea"), (.bytes(Array(0...255)), "bytea"),
        (.json("{\"a\": [1, null, \"\\u0041\"]}"), "json"), (.json("[]"), "jsonb"),
        (.uuid("0194f0a5-91c2-7bb0-8d19-6d6f0f3f2c11"), "uuid"),
        (.numeric("123456789012345678901234567890.5"), "numeric"),
        (.textArray([]), "text[]"), (.textArray(["a", "", "NULL", nil, "null", unicode]), "text[]"),
        (.textArray(["a,b", "{c}", "\"d\"", "\\e", " f "]), "varchar[]"),
        (.int64Array([]), "bigint[]"), (.int64Array([1, -2, nil, .max, .min]), "bigint[]"), (.int64Array([3]), "integer[]"),
    ]

    @Test("every value comes back from the server as it was sent")
    func roundTrip() async throws {
        let connection = try await TestDatabase().connect()
        for (value, type) in ValueTests.roundTrips {
            let rows = try await connection.query("SELECT $1::\(type) AS field", [value])
            #expect(rows.count == 1)
            #expect(try rows[0].value("field") == value, "\(type)")
        }
        let number = try await connection.value("SELECT $1::float8", [.double(.nan)], as: Double.self)
        #expect(number.isNaN)
    }

    @Test("a parameter with its own type needs no cast, and one without takes the type of its place")
    func parameterTypes() async throws {
        let connection = try await TestDatabase().connect()
        #expect(try await connection.query("SELECT $1 AS field", [7])[0].value("field") == 7)
        #expect(try await connection.query("SELECT $1 AS field", ["x"])[0].value("field") == "x")
        #expect(try await connection.query("SELECT unnest($1) AS field", [.textArray(["p", "q"])]).count == 2)
        try await connection.executeScript(
            """
            CREATE TYPE mood AS ENUM ('calm', 'wild');
            CREATE TABLE things (mood mood, wait interval, body json, tags jsonb, number integer, name varchar(9));
            """)
        let verbatim = "{\"b\":1,  \"a\":2}"
        try await connection.execute(
            "INSERT INTO things VALUES ($1, $2, $3, $4, $5, $6)",
            ["wild", "90 seconds", .json(verbatim), .json(verbatim), 5, "name"])
        let row = try await connection.query(
            "SELECT * FROM things WHERE mood = $1 AND tags @> $2", ["wild", .json("{\"a\":2}")])[0]
        #expect(try row.get("mood", as: String.self) == "wild")
        #expect(try row.get("wait", as: String.self) == "00:01:30")
        #expect(try row.get("body", as: String.self) == verbatim)
        #expect(try row.get("tags", as: String.self) == "{\"a\": 2, \"b\": 1}")
        #expect(try row.get("number", as: Int.self) == 5)
    }

    @Test("a time is kept to the microsecond, in every time zone and far from now")
    func timestamps() async throws {
        let connection = try await TestDatabase().connect()
        for (text, microseconds) in [
            ("2026-03-04 05:06:07.000089+05:30", 1_772_580_967_000_089), ("2000-01-01 00:00:00+00", 946_684_800_000_000),
            ("1969-12-31 23:59:59.999999+00", -1), ("0001-02-03 00:00:00+00", -62_132_745_600_000_000),
            ("2100-02-28 23:59:59.5-11", 4_107_581_999_500_000),
            ("2250-12-31 23:59:59.999999+00", 8_867_491_199_999_999), ("12345-06-07 08:09:10+00", 327_416_976_550_000_000),
        ] as [(String, Int64)] {
            let date = Date(timeIntervalSinceReferenceDate: Double(microseconds - 978_307_200_000_000) / 1_000_000)
            #expect(try await connection.value("SELECT $1::timestamptz", [.text(text)], as: Date.self) == date, "\(text)")
            for zone in ["UTC", "Asia/Kolkata", "America/St_Johns"] {
                try await connection.execute("SELECT set_config('timezone', $1, false)", [.text(zone)])
                let row = try await connection.query(
                    """
                    SELECT $1 AS same, (extract(epoch FROM $1) * 1000000)::bigint AS microseconds,
                        $1 AT TIME ZONE 'UTC' AS bare
                    """, [.timestamp(date)])[0]
                #expect(try row.get("same", as: Date.self) == date)
                #expect(try row.get("bare", as: Date.self) == date)
                #expect(try row.get("microseconds", as: Int64.self) == microseconds)
            }
        }
        #expect(try await connection.query("SELECT 'infinity'::timestamptz AS t")[0].value("t") == "infinity")
    }

    @Test("eight megabytes of bytes come back unchanged")
    func largeBytes() async throws {
        let connection = try await TestDatabase().connect()
        var random = RandomNumbers(seed: 1)
        let bytes = (0..<(1 << 20)).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } }
        try await connection.executeScript("CREATE TABLE blobs (body bytea)")
        try await connection.execute("INSERT INTO blobs VALUES ($1)", [.bytes(bytes)])
        #expect(try await connection.value("SELECT octet_length(body) FROM blobs", as: Int.self) == bytes.count)
        #expect(try await connection.value("SELECT body FROM blobs", as: [UInt8].self) == bytes)
    }

    @Test("a value without a case of its own is read as text, whatever its shape")
    func otherTypes() async throws {
        let connection = try await TestDatabase().connect()
        for (expression, text) in [
            ("'1 day 02:03:04'::interval", "1 day 02:03:04"), ("'10.0.0.1'::inet", "10.0.0.1"),
            ("'{{a,b},{c,d}}'::text[]", "{{a,b},{c,d}}"), ("'[2:3]={1,2}'::bigint[]", "[2:3]={1,2}"),
            ("DATE '2026-01-02'", "2026-01-02"), ("'x'::name", "x"), ("pg_notify('a', 'b')", ""),
        ] {
            #expect(try await connection.value("SELECT \(expression)", as: String.self) == text)
        }
        #expect(try await connection.value("SELECT sum(n) FROM generate_series(1, 3::bigint) n", as: Int64.self) == 6)
        #expect(try await connection.value("SELECT 0.5", as: Double.self) == 0.5)
    }

    @Test("an array with nulls is read as optionals, and refused as anything else")
    func nullElements() async throws {
        let connection = try await TestDatabase().connect()
        let row = try await connection.query("SELECT ARRAY['a', NULL] AS words, ARRAY[1, 2] AS numbers")[0]
        #expect(try row.get("words", as: [String?].self) == ["a", nil])
        #expect(throws: PostgresError.self) { try row.get("words", as: [String].self) }
        #expect(throws: PostgresError.self) { try row.get("words", as: [Int64].self) }
        #expect(try row.get("numbers", as: [Int64].self) == [1, 2])
        #expect(try row.get("numbers", as: [Int64]?.self) == [1, 2])
    }

    @Test("a text with a zero byte, and a date that no server has, are refused, and no text is cut off")
    func zeroByte() async throws {
        let connection = try await TestDatabase().connect()
        for value: PostgresValue in ["a\0b", .json("\"\0\""), .textArray(["ok", "a\0"])] {
            let error = await #expect(throws: PostgresError.self) { try await connection.query("SELECT $1", [value]) }
            #expect(error?.code == .misuse)
            #expect(error?.message == "parameter $1 has a zero byte, which text cannot hold")
        }
        let late = PostgresValue.timestamp(Date(timeIntervalSince1970: 1e18))
        let date = await #expect(throws: PostgresError.self) { try await connection.query("SELECT $1", [late]) }
        #expect(date?.code == .misuse && date?.message == "parameter $1 is a date outside the server's range")
        let error = await #expect(throws: PostgresError.self) { try await connection.query("SELECT 1\0; SELECT 2") }
        #expect(error?.code == .misuse && error?.message == "the statement has a zero byte")
        #expect(try await connection.value("SELECT 1", as: Int.self) == 1)
    }
}
