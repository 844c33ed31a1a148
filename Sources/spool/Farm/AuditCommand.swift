import ArgumentParser
import ArtifactStore
import CommandLineInterface
import Coordinator
import ExportPlan
import FarmAPI
import FarmClient
import LocalFarm
import Postgres
import Vocabulary
import FoundationEssentials

/// `spool audit`: checks what is true of a farm at all times.
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Check that a farm keeps its rules.",
        discussion: """
            Checks a running farm and changes nothing. docs/farm.md lists the rules. Exits with 0 where all hold, and \
            with 70 where one does not.
            """,
        subcommands: [Running.self, Files.self, Log.self], defaultSubcommand: Running.self)

    /// Asks a coordinator.
    struct Running: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "farm", abstract: "Check database and queue of a running farm (needs the scope admin).")

        @OptionGroup var farm: FarmOptions

        func run() async throws {
            try AuditCommand.tell(try await farm.client().audit(), json: farm.json)
        }
    }

    /// Compares database and store, on a machine that reaches both.
    struct Files: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "files", abstract: "Check that the store has what the database knows, and nothing else.",
            discussion: """
                Lists all files of the store, and reads some of them, or all, to compare their bytes with what was stored. \
                Works on the database and the store themselves, as spool gc does.
                """)

        @OptionGroup var options: SettingsOptions
        @OptionGroup var retention: RetentionOptions

        @Option(help: "How many files of each tenant and kind are read, chosen at random.")
        var sample = 100

        @Flag(help: "Read all files.")
        var all = false

        @Flag(help: "Print JSON.")
        var json = false

        func validate() throws {
            guard sample >= 0 else { throw ValidationError("--sample must be 0 or more, not \(sample)") }
        }

        func run() async throws {
            let settings = try options.settings(retention.flags)
            let (url, location, policy) = try orUsage {
                (try settings.text(.databaseURL), try StoreLocation(settings), try RetentionOptions.read(settings))
            }
            let pool = PostgresPool(
                PostgresConfiguration(url, applicationName: "spool audit"), limit: 1, connectAttempts: 2)
            do {
                if let complaint = try await Migrator(pool).complaint() {
                    throw CommandFailure(complaint, status: ExitStatus.unavailable)
                }
                let database = PostgresFarmStore(pool)
                let farm = try await database.farm()
                let (files, blobs): (CollectedStore, any BlobStore) =
                    switch location {
                    case .directory(let path):
                        (
                            .directory(FarmDirectory(path, farm: farm)),
                            DirectoryBlobs(FarmDirectory(path, farm: farm))
                        )
                    case .bucket(let store, let blobs): (.bucket(store, farm: farm), blobs)
                    }
                let report = try await FileAudit(
                    store: database, files: files, blobs: blobs, reading: all ? .all : .sample(sample), policy: policy,
                    at: try await database.databaseTime()
                ).run()
                await pool.close()
                if !json {
                    Terminal.print(
                        "\(report.files) files are in the store, \(report.readFiles) of them were read "
                            + "(\(Phrase.bytes(report.readBytes)))")
                }
                try AuditCommand.tell(report.audit, json: json)
            } catch let error as FarmError {
                throw CommandFailure(error)
            } catch let error as any ClassifiedError {
                throw CommandFailure(error)
            }
        }
    }

    /// Lists what operators changed.
    struct Log: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "log", abstract: "List what operators changed over the API (needs the scope admin).")

        @OptionGroup var farm: FarmOptions
        @Option(help: "How many, 1...1000; the newest first.") var limit = 100

        func run() async throws {
            let listing = try await farm.client().adminActions(limit: limit)
            try farm.list(listing.items, "ACTION", "AGE", "TOKEN", "FROM", "STATUS", "OPERATION", "PATH", "BODY") { action in
                [
                    "\(action.id)", Phrase.age(action.at, at: listing.at), "\(action.token)", action.address ?? "-",
                    action.status.map { "\($0)" } ?? "-", action.operation, action.path, action.body,
                ]
            }
        }
    }

    /// Prints a report.
    /// - Throws: the exit code 70 where a rule does not hold.
    private static func tell(_ report: AuditReport, json: Bool) throws {
        if json {
            try Terminal.printFarmJSON(report)
        } else {
            for rule in report.rules {
                let faults = report.faults.filter { $0.rule == rule }
                Terminal.print("\(rule.rawValue): \(faults.isEmpty ? "ok" : "\(faults.count) faults")")
                for fault in faults {
                    Terminal.print("  \(fault.subject) \(fault.detail) (\(Phrase.age(fault.foundAt, at: report.at)) ago)")
                }
            }
        }
        guard report.faults.isEmpty else { throw ExitCode(70) }
    }
}
