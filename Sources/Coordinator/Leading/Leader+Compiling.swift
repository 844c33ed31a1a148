import FarmAPI
import ExportPlan
import JobQueue
import Synchronization

/// Turns accepted exports into jobs, beside the dispatch and without delaying it.
extension Leader {
    /// How many exports are compiled at a time, each of another tenant, so that one tenant's long documents delay only
    /// that tenant.
    private static let compilersAtOnce = 2

    /// Compiles exports until the task is cancelled. Tenants take turns, so that none waits for another's backlog;
    /// within a tenant the export with the highest priority goes first.
    func compileExports(_ called: WakeSignal) async {
        let finished = FinishedCompiling()
        await withDiscardingTaskGroup { group in
            var busy: Set<Int64> = []
            var stuck: Set<ExportID> = []
            // Tenants in the order of their last turns, the latest last.
            var served: [Int64] = []
            while !Task.isCancelled {
                for done in finished.take() {
                    busy.remove(done.tenant)
                    if let export = done.stuck { stuck.insert(export) }
                }
                var next: ExportToCompile?
                if busy.count < Leader.compilersAtOnce {
                    await retrying("compiling") {
                        next = try await store.exportsToCompile(limit: 1, besides: busy, stuck, served: served).first
                    }
                }
                guard let export = next else {
                    // The pause is short also while an export is compiled: others may have become ready meanwhile.
                    _ = await called.wait(atMost: .seconds(5))
                    continue
                }
                busy.insert(export.tenant)
                served.removeAll { $0 == export.tenant }
                served.append(export.tenant)
                group.addTask {
                    finished.add(await compile(export))
                    called.wake()
                }
            }
        }
    }

    /// Takes one export as far as its known source facts allow. Afterwards it is no longer among the exports to
    /// compile, because its state has changed or it has failed.
    private func compile(_ export: ExportToCompile) async -> CompilingOutcome {
        var outcome = CompilingOutcome(tenant: export.tenant)
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
                    if (error as? FarmError)?.concernsAll != true { outcome.stuck = export.id }
                    throw error
                }
            }
        }
        return outcome
    }

    private func advance(_ export: ExportToCompile) async throws {
        guard let source = try await store.source(of: export.id) else { return }
        let thread = PlanningThread(planner)
        if export.state == .submitted {
            let probes = try await counted(source.id) { try await thread.probes(of: source) }
            let hasFacts = try await store.startProbing(source.id, jobs: probes)
            tellOfJobs(source.id)
            guard hasFacts else { return }
        }
        let probeResults = try await store.probeResults(of: source.id)
        let plan = try await counted(source.id) { try await thread.plan(source, probeResults) }
        try await store.startRendering(source.id, plan)
        tellOfJobs(source.id)
    }

    /// Tells the dispatch that an export has new jobs.
    private func tellOfJobs(_ export: ExportID) {
        news.add(ScheduleChanges(exports: [export]))
        dispatching.wake()
    }

    /// How often compiling one export may begin without an end, on any coordinator, before its draft is taken for the
    /// cause.
    static let compilingLimit = 5

    /// Compiles, and counts in the database that compiling begins and ends. Without the count, a draft that crashes the
    /// process would crash one leader after the other.
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
            let result = try await compile()
            try await store.endCompiling(export)
            return result
        } catch {
            try await store.endCompiling(export)
            throw error
        }
    }
}

/// The outcome of compiling one export.
private struct CompilingOutcome: Sendable {
    var tenant: Int64
    /// Set where the export can neither be compiled nor failed; this leader does not look at it again.
    var stuck: ExportID?
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
