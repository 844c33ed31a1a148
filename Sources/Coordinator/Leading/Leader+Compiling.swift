import FarmAPI
import ExportPlan
import JobQueue
import Synchronization
import Foundation

/// Turns accepted exports into jobs, beside the dispatch and without delaying it.
extension Leader {
    /// How many exports are compiled at a time: half of the machine's processors, and two at least.
    private static let compilersAtOnce = max(2, min(8, ProcessInfo.processInfo.activeProcessorCount / 2))
    /// How many exports of each tenant are read from the store at once.
    private static let compileBatch = 100
    /// How long the exports that were read are compiled before the store is asked again whether others come first: fifty
    /// times as long as it took to answer, so that asking costs a fiftieth of a connection's time however many wait, and
    /// an urgent export waits for a moment only.
    private static let compileBatchAges: ClosedRange<Duration> = .milliseconds(20) ... .seconds(1)

    /// Compiles exports until the task is cancelled. Tenants take turns, so that none waits for another's backlog;
    /// within a tenant the export with the highest priority goes first.
    func compileExports(_ called: WakeSignal) async {
        let finished = FinishedCompiling()
        await withDiscardingTaskGroup { group in
            var queue = CompileQueue(limitPerTenant: Leader.compilersAtOnce / 2)
            var readAt = ContinuousClock.now
            var age = Duration.zero
            while !Task.isCancelled {
                for done in finished.take() { queue.ended(done.export, isStuck: done.isStuck) }
                var next: ExportToCompile?
                if queue.compilingCount < Leader.compilersAtOnce {
                    if queue.knownTenants.isEmpty || readAt.duration(to: .now) >= age {
                        let began = ContinuousClock.now
                        await retrying("compiling") { try await read(into: &queue) }
                        readAt = .now
                        let ages = Leader.compileBatchAges
                        age = min(ages.upperBound, max(ages.lowerBound, began.duration(to: readAt) * 50))
                    }
                    next = queue.next()
                }
                guard let export = next else {
                    // Where exports wait for others of their tenants, those of another tenant may be accepted meanwhile.
                    _ = await called.wait(atMost: queue.knownTenants.isEmpty ? .seconds(5) : age)
                    continue
                }
                group.addTask {
                    finished.add(await compile(export))
                    called.wake()
                }
            }
        }
    }

    /// Reads the exports that may be compiled next, of each tenant.
    private func read(into queue: inout CompileQueue) async throws {
        let waiting = try await store.exportsToCompile(ofEachTenant: Leader.compileBatch, besides: queue.excluded)
        queue.clear()
        queue.add(waiting)
    }

    /// Takes one export as far as its known source facts allow. Afterwards it is no longer among the exports to
    /// compile, because its state has changed or it has failed.
    private func compile(_ export: ExportToCompile) async -> CompilingOutcome {
        var outcome = CompilingOutcome(export: export)
        await retrying("compiling") {
            try await isolated(.export(export.id)) {
                do {
                    try await advance(export)
                } catch let failure as ExportFailure {
                    try await fail(export.id, failure)
                }
            } setAside: { reason in
                do {
                    try await fail(export.id, ExportFailure(.crash, message: "the export could not be compiled: \(reason)"))
                } catch {
                    // A database that is away, or a lost lead, says nothing about the export.
                    if (error as? FarmError)?.concernsAll != true { outcome.isStuck = true }
                    throw error
                }
            }
        }
        return outcome
    }

    private func advance(_ export: ExportToCompile) async throws {
        guard let source = try await store.source(of: export.id) else { return }
        let thread = PlanningThread(planner, costs.table(forPool: source.pool))
        if export.state == .submitted {
            let hasFacts = try await counted(source.id) {
                try await store.startProbing(source.id, jobs: try await thread.probes(of: source))
            }
            tellOfJobs(source.id)
            guard hasFacts else { return }
        }
        let probeResults = try await store.probeResults(of: source.id)
        try await counted(source.id) {
            try await store.startRendering(source.id, try await thread.plan(source, probeResults))
        }
        tellOfJobs(source.id)
    }

    /// Tells the dispatch that an export has new jobs.
    private func tellOfJobs(_ export: ExportID) {
        news.add(ScheduleChanges(exports: [export]))
        wakeDispatch()
    }

    /// How often compiling one export may begin without an end, on any coordinator, before its draft is taken for the
    /// cause.
    static let compilingLimit = 5

    /// Compiles, stores the outcome, and counts in the database that compiling begins. The count ends with the state that
    /// the outcome gives the export, or with an error. Without the count, a draft that crashes the process would crash one
    /// leader after the other.
    /// - Throws: `ExportFailure`, class `crash`, when compiling has begun too often; whatever `compile` throws.
    private func counted<Result: Sendable>(_ export: ExportID, _ compile: () async throws -> Result) async throws -> Result {
        let count = try await store.beginCompiling(export)
        guard count <= Leader.compilingLimit else {
            throw ExportFailure(
                .crash,
                message:
                    "the coordinator ended \(Leader.compilingLimit) times in a row while it compiled this draft; please "
                    + "report it with the draft")
        }
        do {
            return try await compile()
        } catch {
            // A draft that crashes the process does not come here. A task of its own, because this one may be cancelled;
            // where the database is away, the count stays, and a later end of compiling clears it.
            _ = await Task { try? await store.endCompiling(export) }.value
            throw error
        }
    }
}

/// The outcome of compiling one export.
private struct CompilingOutcome: Sendable {
    var export: ExportToCompile
    /// Whether the export can neither be compiled nor failed; this leader does not look at it again.
    var isStuck = false
}

/// Outcomes on their way from the compiling tasks to the loop that starts them.
private final class FinishedCompiling: Sendable {
    private let outcomes = Mutex<[CompilingOutcome]>([])

    func add(_ outcome: CompilingOutcome) { outcomes.withLock { $0.append(outcome) } }

    func take() -> [CompilingOutcome] {
        outcomes.withLock { outcomes in
            defer { outcomes = [] }
            return outcomes
        }
    }
}
