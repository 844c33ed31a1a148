import ArgumentParser
import CommandLineInterface
import FarmAPI
import FarmClient
import Vocabulary

/// `spool queue peek`: the jobs that are sent next.
struct QueuePeekCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "peek", abstract: "Show the ready jobs that are sent next, in order.",
        discussion: """
            Exports of one tenant and jobs of one export are in the order in which they are sent, and urgent exports come first. \
            Tenants take turns by their shares, beginning with what they have in flight now; only the leader knows what they used \
            before, so the turns of tenants may differ from what it sends. Jobs of different roles and pools go to different \
            workers. Pauses do not count. 'spool why' says what a job waits for. Filters and sorting look at the first \
            \(QueuedJob.limit) jobs.
            Columns: \(FarmTables.queued().names).

            Examples:
              spool queue peek video --limit 5
              spool queue peek --pool gpu --filter tenant=studio --columns place,job,label
            """)

    @OptionGroup var farm: FarmOptions
    @OptionGroup var list: ListOptions
    @Argument(help: "video, audio or stitch. Default: all.") var role: WorkerRole?
    @Option(help: "Only jobs of this pool.") var pool: String?
    @Option(help: "How many, 1...\(QueuedJob.limit).") var limit = 20

    func validate() throws {
        if !(1...QueuedJob.limit).contains(limit) {
            throw ValidationError("--limit must be 1...\(QueuedJob.limit), not \(limit)")
        }
    }

    func run() async throws {
        try list.check(FarmTables.queued(), farm)
        let role = try list.asked("role", option: role, known: WorkerRole.allCases.map(\.rawValue)) { WorkerRole(rawValue: $0) }
        let pool = try list.asked("pool", option: pool) { $0 }
        let client = try farm.client()
        let asked = list.filters.isEmpty && list.sort == nil ? limit : QueuedJob.limit
        let listing = try await client.nextJobs(role: role, pool: pool, limit: asked)
        let table = FarmTables.queued(at: listing.at, isUTC: list.utc)
        let matcher = list.matcher(table)
        try farm.list(listing.items.filter { matcher?($0) ?? true }, table, list, limit: limit)
        guard !farm.json, !list.csv else { return }
        for queue in try await client.queues().items where role == nil || queue.role == role {
            if queue.isPaused {
                Terminal.error("note: the queue '\(queue.role.rawValue)' is paused, so none of its jobs is sent")
            }
            for lacking in queue.poolsWithoutWorkers where pool == nil || pool == lacking {
                Terminal.error(
                    "note: no worker takes jobs of the role '\(queue.role.rawValue)' in the pool '\(lacking)', so none is sent there"
                )
            }
        }
    }
}
