import ArgumentParser
import ArtifactStore
import CommandLineInterface
import Coordinator
import ExportPlan
import LocalFarm
import Postgres
import Vocabulary
import FoundationEssentials

/// `spool gc`: removes from a farm what has expired: rows of the database, and files of the store that nothing needs.
///
/// It works on the database and the store itself, and so runs on a machine that reaches both, as the user who owns the
/// store. It may run beside coordinators and workers, and beside another `spool gc`.
struct GarbageCollectionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gc", abstract: "Remove from a farm what has expired and what nothing needs.",
        discussion: """
            Removes artifacts and sources by age and size, files of processes that were killed, and old jobs, events, logs, \
            revisions and exports, and prints what went and what stays for which reason. What an export needs that is not \
            over, films that are kept, and sources of named drafts are never removed. docs/retention.md lists the settings.
            Ages are written as 12h, 30d or never, sizes as 50GB or never.
            """)

    @OptionGroup var options: SettingsOptions
    @OptionGroup var retention: RetentionOptions

    @Option(help: ArgumentHelp("How long completed exports keep their films.", valueName: "age"))
    var keepFilms: String?

    @Option(help: ArgumentHelp("Age of the last use at which artifacts are removed.", valueName: "age"))
    var keepArtifacts: String?

    @Option(help: ArgumentHelp("Bytes of artifacts above which the longest unused are removed.", valueName: "size"))
    var keepArtifactsSize: String?

    @Option(help: ArgumentHelp("Age of the last use at which uploaded sources are removed.", valueName: "age"))
    var keepSources: String?

    @Flag(help: "Change nothing, and print what would go.")
    var dryRun = false

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        let flags: [SettingKey: String?] = [
            .keepFilms: keepFilms, .keepArtifacts: keepArtifacts, .keepArtifactsSize: keepArtifactsSize,
            .keepSources: keepSources,
        ]
        let settings = try options.settings(retention.flags.merging(flags) { $1 })
        let (url, location, policy) = try orUsage {
            (try settings.text(.databaseURL), try StoreLocation(settings), try RetentionOptions.read(settings))
        }
        var configuration = PostgresConfiguration(url, applicationName: "spool gc")
        // A removal holds records of artifacts while it removes their files, and exports wait for it. Where the store
        // does not answer, the database ends it.
        configuration.lockTimeout = .seconds(5)
        configuration.idleInTransactionTimeout = .seconds(30)
        let pool = PostgresPool(configuration, limit: 1, connectAttempts: 2)
        do {
            if let complaint = try await Migrator(pool).complaint() {
                throw CommandFailure(complaint, status: ExitStatus.unavailable)
            }
            let database = PostgresFarmStore(pool)
            let files: CollectedStore
            switch location {
            case .directory(let path): files = .directory(FarmDirectory(path, farm: try await database.farm()))
            case .bucket(let store, _): files = .bucket(store, farm: try await database.farm())
            }
            let now = try await database.databaseTime()
            let report = try await GarbageCollection(
                store: database, files: files, policy: policy, at: now, isDryRun: dryRun
            ).run()
            await pool.close()
            try tell(report)
        } catch let error as FarmError {
            throw CommandFailure(error)
        } catch let error as any ClassifiedError {
            throw CommandFailure(error)
        }
    }

    private func tell(_ report: GarbageReport) throws {
        if json { return try Terminal.printFarmJSON(report) }
        let (verb, rows) = (report.isDryRun ? "would go" : "went", report.rows)
        Terminal.print(lines: TextTable(["FILES", "", "NUMBER", "BYTES"], GarbageText.cells(of: report)).lines)
        for line in GarbageText.lines(of: rows, verb) { Terminal.print(line) }
        for (name, files) in [("artifacts", report.artifacts), ("sources", report.sources)] {
            if files.foreignCount > 0 {
                Terminal.error(
                    "warning: among the \(name) are entries that are no files of spool, which are left alone: \(files.foreignCount)"
                )
            }
            for failure in files.failures { Terminal.error("warning: \(failure)") }
        }
    }
}

/// A garbage report as text for people.
enum GarbageText {
    static func cells(of report: GarbageReport) -> [[String]] {
        let verb = report.isDryRun ? "would go" : "went"
        return [("artifacts", report.artifacts), ("sources", report.sources)].flatMap { name, files in
            var rows = [[name, verb, "\(files.removed.files)", Phrase.bytes(files.removed.byteCount)]]
            if files.removedUnknown.files > 0 {
                let unknown = files.removedUnknown
                rows.append([name, "\(verb), unknown to the database", "\(unknown.files)", Phrase.bytes(unknown.byteCount)])
            }
            if files.removedRecords > 0 { rows.append([name, "\(verb), records without files", "\(files.removedRecords)", "-"]) }
            for reason in FileReport.Reason.allCases {
                guard let kept = files.kept[reason] else { continue }
                rows.append([name, "stay: \(text(reason))", "\(kept.files)", Phrase.bytes(kept.byteCount)])
            }
            return rows
        }
    }

    static func lines(of rows: RowCounts, _ verb: String) -> [String] {
        [
            "\(rows.movedJobs) jobs, \(rows.movedAttempts) attempts and \(rows.movedEvents) events of finished exports \(verb) "
                + "to the history",
            "\(rows.droppedJobs) jobs, \(rows.droppedAttempts) attempts, \(rows.droppedEvents) events and \(rows.clearedLogs) "
                + "logs \(verb) from the history",
            "\(rows.droppedExports) exports, \(rows.droppedRevisions) revisions of drafts and \(rows.droppedDeliveries) deliveries to "
                + "webhooks \(verb)",
            "\(rows.droppedAdminActions) actions of operators and \(rows.droppedWorkers) workers of long ago \(verb)",
        ]
    }

    private static func text(_ reason: FileReport.Reason) -> String {
        switch reason {
        case .openExport: "needed by exports that are not over"
        case .film: "films"
        case .draft: "mentioned by drafts and recordings"
        case .young: "used not long ago"
        case .inUse: "looked up just now"
        case .unknownAndYoung: "unknown to the database, stored not long ago"
        case .failed: "cannot be removed"
        }
    }
}
