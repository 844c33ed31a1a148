import ArgumentParser
import CommandLineInterface
import Coordinator
import LocalFarm
import Postgres

/// `spool migrate`: updates the database to this version's schema.
struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Bring the database to this version's schema.")

    @OptionGroup var options: SettingsOptions

    @Flag(
        help: ArgumentHelp(
            "Forget the farm's store, because it is lost: the coordinator that starts next makes an empty --store the farm's. "
                + "Sources have to be uploaded again."))
    var newStore = false

    func run() async throws {
        let settings = try options.settings()
        let url = try orUsage { try settings.text(.databaseURL) }
        let pool = PostgresPool(PostgresConfiguration(url, applicationName: "spool migrate"), limit: 1, connectAttempts: 3)
        do {
            let applied = try await Migrator(pool).migrate()
            Terminal.print(applied.isEmpty ? "the database is up to date" : "applied: \(applied.joined(separator: ", "))")
            if newStore {
                try await PostgresFarmStore(pool).setHasStore(false)
                Terminal.print("the coordinator that starts next gives the farm a new store")
            }
            if let hint = try await FirstToken.hint(PostgresFarmStore(pool)) { Terminal.error(hint) }
            await pool.close()
        } catch let error as FarmError {
            throw CommandFailure(error)
        }
    }
}
