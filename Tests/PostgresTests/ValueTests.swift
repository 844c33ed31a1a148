import Postgres
import Testing
import TestSupport
@Suite struct ValueTests {
    @Test("x") func x() async throws {
        let url = try await PostgresServer.shared().makeDatabase()
        let c = try await PostgresConnection.connect(PostgresConfiguration(url))
        #expect(try await c.query("SELECT $1 AS a", [5])[0].get("a", as: Int.self) == 5)
    }
}
