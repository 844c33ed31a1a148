import Coordinator
import FarmAPI
import HTTPAPI
import Postgres

/// Tokens that are made in the database itself: a farm without any has nobody who could ask its server for one. Whoever has the database's
/// address may do anything with the farm anyway.
enum FirstToken {
    /// Makes a token, and its tenant where there is none of that name.
    /// - Parameter url: the database, as libpq takes it.
    /// - Throws: `CommandFailure` when the database is away, is not migrated, or refuses a name.
    static func issue(_ wanted: NewToken, in url: String) async throws -> IssuedToken {
        let pool = PostgresPool(PostgresConfiguration(url, applicationName: "spool token"), limit: 1, connectAttempts: 2)
        do {
            if let complaint = try await Migrator(pool).complaint() {
                throw CommandFailure(complaint, status: ExitStatus.unavailable)
            }
            let store = PostgresFarmStore(pool)
            if try await !store.tenants().contains(where: { $0.name == wanted.tenant }) {
                _ = try await store.createTenant(wanted.tenant, weight: 1)
                Terminal.error("tenant '\(wanted.tenant)' is new, with the share 1")
            }
            let secret = TokenSecret.make()
            let token = try await store.createToken(
                wanted.name, tenant: wanted.tenant, scopes: wanted.scopes, hash: TokenSecret.hash(secret))
            await pool.close()
            return IssuedToken(token, secret: secret)
        } catch let error as FarmError {
            throw CommandFailure(error)
        }
    }

    /// What to do where a farm has no token at all; nil where it has one.
    static func hint(_ store: PostgresFarmStore) async throws -> String? {
        guard try await store.tokens().allSatisfy({ $0.revokedAt != nil }) else { return nil }
        return "nobody has a token yet; make the first: spool token create default admin --database-url ..."
    }
}
