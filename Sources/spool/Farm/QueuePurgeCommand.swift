import ArgumentParser
import CommandLineInterface
import Coordinator
import FarmAPI
import FarmClient
import Vocabulary

/// `spool queue purge`: cancels the open exports that have ready jobs somewhere.
struct QueuePurgeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge", abstract: "Cancel all open exports that have ready jobs in a queue.",
        discussion: """
            It cancels the exports that have a ready job of the role, in the pool, of the tenant and with the label that are given; \
            all that are given have to match. On a terminal it asks before, and elsewhere it needs --yes. A cancelled export is \
            submitted again with 'spool rerun'.

            Examples:
              spool queue purge video --pool gpu --dry-run
              spool queue purge --label 'nightly test' --yes
            """)

    @OptionGroup var farm: FarmOptions
    @Argument(help: "video, audio or stitch. Default: all.") var role: WorkerRole?
    @Option(help: "Only exports with ready jobs in this pool.") var pool: String?
    @Option(help: "Only exports of the tenant with this name; it needs an operator's token.") var tenant: String?
    @Option(help: "Only exports with exactly this label.") var label: String?
    @Flag(help: "Print the exports that would be cancelled, and cancel none.") var dryRun = false
    @Flag(name: [.customShort("y"), .long], help: "Do not ask.") var yes = false

    func validate() throws {
        if role == nil, pool == nil, tenant == nil, label == nil {
            throw ValidationError("say which exports are meant: a role, --pool, --tenant or --label")
        }
        if dryRun, yes { throw ValidationError("--dry-run cancels nothing, so it needs no --yes; give one of them") }
    }

    /// An export that is cancelled.
    private struct Victim: Encodable {
        var export: ExportID
        var label: String
        var tenant: Int64
        var pool: String
        var priority: Int
        /// How many of its jobs that match are ready.
        var ready: Int
    }

    func run() async throws {
        let client = try farm.client()
        let victims = try await victims(client)
        if victims.isEmpty {
            let sentence = "there is no open export with ready jobs \(words), so nothing is cancelled"
            return farm.json ? try Terminal.printFarmJSON(victims) : Terminal.print(sentence)
        }
        if dryRun { return try list(victims) }
        if !yes { QueuePurgeCommand.table(Array(victims.prefix(10))).forEach(Terminal.error) }
        let ready = victims.reduce(0) { $0 + $1.ready }
        let count = "\(victims.count) export\(victims.count == 1 ? "" : "s")"
        try Confirmation.require(
            "Cancel \(count) with \(ready) ready job\(ready == 1 ? "" : "s") \(words)?", isGiven: yes)
        let outcome = try await client.cancel(victims.map(\.export))
        let refused = outcome.filter { $0.fault != nil }
        for item in refused { Terminal.error("error: \(item.id): \(item.fault ?? "")") }
        let cancelled = outcome.filter { $0.fault == nil }
        if farm.json {
            try Terminal.printFarmJSON(victims.filter { victim in cancelled.contains { $0.id == victim.export } })
        } else {
            Terminal.print("cancelled \(cancelled.count) export\(cancelled.count == 1 ? "" : "s") with ready jobs \(words)")
        }
        if !refused.isEmpty { throw ExitCode(ExitStatus.badInput) }
    }

    /// The jobs that are purged, in words.
    private var words: String {
        let parts = [
            role.map { "of the role '\($0.rawValue)'" }, pool.map { "in the pool '\($0)'" },
            tenant.map { "of the tenant '\($0)'" }, label.map { "with the label '\($0)'" },
        ]
        return parts.compactMap(\.self).joined(separator: " ")
    }

    private func victims(_ client: FarmClient) async throws -> [Victim] {
        let owner = try await owner(client)
        let jobs = try await client.jobs(JobFilter(state: .ready, role: role), limit: nil) { job in
            (pool.map { $0 == job.pool } ?? true) && (owner.map { $0 == job.tenant } ?? true)
        }
        let ready = Dictionary(grouping: jobs.items, by: \.export).mapValues(\.count)
        guard !ready.isEmpty else { return [] }
        var open: [Export] = []
        for state in [ExportState.probing, .rendering] {
            open += try await client.exports(ExportFilter(state: state), limit: nil) { export in
                ready[export.id] != nil && (label.map { $0 == export.label } ?? true)
            }.items
        }
        // An export may have begun to render between the two requests.
        let unique = Dictionary(open.map { ($0.id, $0) }) { first, _ in first }.values.sorted { $0.number < $1.number }
        return unique.map { export in
            Victim(
                export: export.id, label: export.label, tenant: export.tenant, pool: export.pool, priority: export.priority,
                ready: ready[export.id] ?? 0)
        }
    }

    /// The tenant's number; nil where none is named.
    private func owner(_ client: FarmClient) async throws -> Int64? {
        guard let tenant else { return nil }
        guard let found = try await client.tenants().items.first(where: { $0.name == tenant }) else {
            throw CommandFailure("there is no tenant '\(tenant)'; 'spool tenant ls' lists them", status: ExitStatus.badInput)
        }
        return found.id
    }

    private func list(_ victims: [Victim]) throws {
        if farm.json { return try Terminal.printFarmJSON(victims) }
        Terminal.print(lines: QueuePurgeCommand.table(victims))
        Terminal.error("note: \(victims.count) would be cancelled, and none is, because of --dry-run")
    }

    private static func table(_ victims: [Victim]) -> [String] {
        TextTable(
            ["EXPORT", "READY", "POOL", "TENANT", "PRIORITY", "LABEL"],
            victims.map { victim in
                [
                    victim.export.text, "\(victim.ready)", victim.pool, "\(victim.tenant)", "\(victim.priority)", victim.label,
                ]
            }
        ).lines
    }
}
