import Postgres
import TestSupport
import Testing

@Suite("Errors", .timeLimit(.minutes(2)))
struct ErrorTests {
    @Test("the server's errors have their code, SQLSTATE, constraint and statement")
    func codes() async throws {
        let connection = try await TestDatabase().connect()
        try await connection.executeScript(
            """
            CREATE TABLE parents (id bigint CONSTRAINT parents_key PRIMARY KEY);
            CREATE TABLE children (
                parent bigint NOT NULL CONSTRAINT children_parent REFERENCES parents,
                age integer CONSTRAINT children_age CHECK (age > 0),
                room int4range, CONSTRAINT children_room EXCLUDE USING gist (room WITH &&)
            );
            INSERT INTO parents VALUES (1);
            INSERT INTO children VALUES (1, 1, '[1,5]');
            """)
        let cases: [(String, PostgresError.Code, String, String?)] = [
            ("INSERT INTO parents VALUES (1)", .uniqueViolation, "23505", "parents_key"),
            ("INSERT INTO children VALUES (2, 1)", .foreignKeyViolation, "23503", "children_parent"),
            ("INSERT INTO children VALUES (1, 0)", .checkViolation, "23514", "children_age"),
            ("INSERT INTO children VALUES (NULL, 1)", .notNullViolation, "23502", nil),
            ("INSERT INTO children VALUES (1, 1, '[4,6]')", .otherConstraint, "23P01", "children_room"),
            ("SELEC 1", .syntax, "42601", nil), ("SELECT * FROM nothing", .syntax, "42P01", nil),
            ("SELECT 1 / 0", .invalidValue, "22012", nil), ("SELECT 'x'::bigint", .invalidValue, "22P02", nil),
            ("DROP DATABASE missing", .server, "3D000", nil),
        ]
        for (statement, code, sqlState, constraint) in cases {
            let error = await #expect(throws: PostgresError.self, "\(statement)") { try await connection.execute(statement) }
            #expect(error?.code == code)
            #expect(error?.sqlState == sqlState)
            #expect(error?.constraint == constraint)
            #expect(error?.statement == statement)
        }
    }

    @Test("an error reads as one sentence with the values and the statement on one line")
    func description() async throws {
        let connection = try await TestDatabase().connect()
        try await connection.executeScript("CREATE TABLE t (id bigint CONSTRAINT t_key PRIMARY KEY)")
        let error = await #expect(throws: PostgresError.self) {
            try await connection.execute("INSERT INTO t\n    VALUES ($1),\n    ($1)", [5])
        }
        #expect(
            error?.description == """
                duplicate key value violates unique constraint "t_key" (Key (id)=(5) already exists.) [SQLSTATE 23505]: \
                INSERT INTO t VALUES ($1), ($1)
                """)
    }

    @Test("an error for a field that is missing, null or of another type names the types")
    func decoding() async throws {
        let connection = try await TestDatabase().connect()
        let row = try await connection.query("SELECT 1::bigint AS id, NULL::text AS name, 'x' AS word, 3000000000 AS big")[0]
        func message(_ body: () throws -> Void) -> String? { #expect(throws: PostgresError.self) { try body() }?.message }
        #expect(message { _ = try row.get("id", as: String.self) } == "column \"id\" is bigint and cannot be read as String")
        #expect(message { _ = try row.get("name", as: String.self) } == "column \"name\" is null and cannot be read as String")
        #expect(
            message { _ = try row.get("word", as: Bool?.self) } == "column \"word\" is text and cannot be read as Optional<Bool>")
        #expect(message { _ = try row.get("big", as: Int32.self) } == "column \"big\" is bigint and cannot be read as Int32")
        #expect(
            message { _ = try row.get("idd", as: Int.self) }
                == "there is no column \"idd\"; the columns are id, name, word, big")
        #expect(try row.get("name", as: String?.self) == nil)
        #expect(try row.get("id", as: Int?.self) == 1)
    }

    @Test("a failed attempt to connect says the address, the reason, and what to do")
    func unreachable() async throws {
        let server = try await PostgresServer.shared()
        func failure(_ string: String) async -> PostgresError? {
            let error = await #expect(throws: PostgresError.self) {
                try await PostgresConnection.connect(PostgresConfiguration(string))
            }
            #expect(error?.code == .connectionFailed)
            return error
        }
        let refused = await failure("postgresql://spool:secret@127.0.0.1:1/spool")
        #expect(
            refused?.description == """
                cannot connect to PostgreSQL at 127.0.0.1:1: Connection refused; check that a server listens there and that \
                the connection string is right
                """)
        #expect(refused?.isWorthRetrying == true)

        let password = await failure(server.url(database: "postgres", password: "wrong"))
        #expect(
            password?.message == """
                cannot connect to PostgreSQL at 127.0.0.1:\(server.port): password authentication failed for user "spool"; \
                check user and password in the connection string
                """)
        #expect(password?.sqlState == "28P01")
        #expect(password?.isWorthRetrying == false)

        let database = await failure(server.url(database: "nothing"))
        #expect(database?.sqlState == "3D000")
        #expect(database?.message.contains("database \"nothing\" does not exist; create the database") == true)

        let socket = await failure("host=\(server.directory)/none user=spool")
        #expect(socket?.message.contains("at \(server.directory)/none/.s.PGSQL.5432: No such file or directory;") == true)

        let host = await failure("host=nowhere.invalid user=spool")
        #expect(host?.message.contains("PostgreSQL at nowhere.invalid:5432: could not translate host name") == true)

        let nonsense = await failure("nonsense=1 password=secret")
        #expect(nonsense?.message.contains("invalid connection option \"nonsense\"") == true)
        #expect(nonsense?.message.contains("secret") == false)
    }

    @Test("a connection string with a zero byte is refused, and not cut off there")
    func zeroByte() async throws {
        let error = await #expect(throws: PostgresError.self) {
            try await PostgresConnection.connect(PostgresConfiguration("host=127.0.0.1\0 user=spool"))
        }
        #expect(error?.code == .misuse && error?.message == "the connection string has a zero byte")
    }

    @Test("a Unix socket works as well as TCP, under the application's name")
    func socket() async throws {
        let server = try await PostgresServer.shared()
        let configuration = PostgresConfiguration(server.socketString(database: "postgres"), applicationName: "by socket")
        let connection = try await PostgresConnection.connect(configuration)
        #expect(try await connection.value("SELECT current_setting('application_name')", as: String.self) == "by socket")
    }

    @Test("COPY is refused, and its connection is dropped")
    func copy() async throws {
        let connection = try await TestDatabase().connect()
        let error = await #expect(throws: PostgresError.self) { try await connection.execute("COPY pg_class TO STDOUT") }
        #expect(error?.code == .misuse && error?.message == "COPY to or from the client is not supported")
        let next = await #expect(throws: PostgresError.self) { try await connection.execute("SELECT 1") }
        #expect(next?.code == .connectionLost)
        #expect(next?.message == "the connection to PostgreSQL is closed; the statement was not sent")
    }
}
