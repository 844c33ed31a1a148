import CommandLineInterface
import Coordinator
import FarmAPI
import Postgres
import FoundationEssentials

/// Creates tokens directly in the database, because a new farm has no token with which to ask its server for one. A
/// user with access to the database can change everything in the farm anyway.
enum FirstToken {
    /// Creates a token, and its tenant when there is none of that name.
    /// - Parameter url: the database in a form that libpq accepts.
    /// - Throws: `CommandFailure` when the database is unavailable or not migrated, or refuses a name.
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
                wanted.name, tenant: wanted.tenant, scopes: wanted.scopes, hash: TokenSecret.hash(secret),
                lifetime: wanted.expiresIn)
            await pool.close()
            return IssuedToken(token, secret: secret)
        } catch let error as FarmError {
            throw CommandFailure(error)
        }
    }

    /// What to do about a farm without any token; nil when it has one.
    static func hint(_ store: PostgresFarmStore) async throws -> String? {
        guard try await store.tokens().allSatisfy({ !$0.isValid(at: Date()) }) else { return nil }
        return "there is no token yet; create the first with: spool token create default admin --database-url ..."
    }
}
