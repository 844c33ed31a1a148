import FarmAPI
import ContentHashing
import Coordinator
import Postgres
import TestSupport
import Testing

/// The first token of a farm whose processes are started separately. There is no token yet with which to ask the
/// server.
@Suite struct FirstTokenTests {
    @Test("The first token is made in the database with its tenant, and 'migrate' says how")
    func firstToken() async throws {
        let database = try await PostgresServer.shared().makeDatabase()
        let words = ["token", "create", "studio", "admin", "--database-url", database]
        let early = try await SpoolTool.run(words)
        #expect(early.status == 69 && early.errors.contains("spool migrate"), "\(early.errors)")

        let migrated = try await SpoolTool.run(["migrate", "--database-url", database])
        #expect(migrated.status == 0)
        let advice = "create the first with: spool token create default admin --database-url"
        #expect(migrated.errors.contains(advice), "\(migrated.errors)")

        let made = try await SpoolTool.run(words)
        #expect(made.status == 0, "\(made.errors)")
        #expect(made.errors.contains("tenant 'studio' is new"))
        let pool = PostgresPool(PostgresConfiguration(database), limit: 1)
        let store = PostgresFarmStore(pool)
        let secret = made.output.split(separator: "\n").map(String.init)
        try #require(secret.count == 1)
        let principal = try #require(try await store.principal(tokenHash: ContentHash.of(secret[0].utf8)))
        #expect(principal.scopes == Set(Scope.allCases))
        #expect(try await store.tenants().map(\.name) == ["studio"])

        let again = try await SpoolTool.run([
            "token", "create", "studio", "reader", "--scope", "read", "--database-url", database,
        ])
        #expect(again.status == 0 && !again.errors.contains("is new"), "\(again.errors)")
        #expect(try await store.tokens().map(\.name) == ["admin", "reader"])
        #expect(try await store.tokens().map(\.scopes) == [Scope.allCases, [.read]])
        let later = try await SpoolTool.run(["migrate", "--database-url", database])
        #expect(later.status == 0 && later.errors == "", "\(later.errors)")

        let faulty = try await SpoolTool.run(["token", "create", "No Such Name", "t", "--database-url", database])
        #expect(faulty.status == 65 && faulty.errors.contains("No Such Name"), "\(faulty.errors)")
        await pool.close()
    }
}
