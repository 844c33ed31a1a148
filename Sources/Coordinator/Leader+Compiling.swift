import ExportPlan
import JobQueue
import Synchronization

/// How accepted exports become jobs, beside the dispatch and without holding it up.
extension Leader {
    /// Exports that are compiled at a time, each of another tenant: one tenant's long documents delay only its own.
    private static let compilersAtOnce = 2

    /// Compiles whatever there is until the task is cancelled. Tenants take turns, so that nobody waits for another's backlog; of one
    /// tenant the most urgent export goes first.
    func compileExports(_ called: WakeSignal) async {
        let finished = FinishedCompiling()
        await withDiscardingTaskGroup { group in
            var busy: Set<Int64> = []
            var stuck: Set<ExportID> = []
            // Tenants in the order of their last turns.
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
                    // Also while one is compiled: others may have become ready for it meanwhile.
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

    /// Takes one export as far as what is known of its sources allows; it leaves the list by that, or because it failed.
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
                    // A database that is away says nothing about the export.
                    if (error as? FarmError)?.code != .unavailable { outcome.stuck = export.id }
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
            let isKnown = try await store.startProbing(source.id, jobs: try await thread.probes(of: source))
            guard isKnown else { return dispatching.wake() }
        }
        let plan = try await thread.plan(source, try await store.findings(of: source.id))
        try await store.startRendering(source.id, plan)
        dispatching.wake()
    }

    private func fail(_ export: ExportID, _ failure: ExportFailure) async throws {
        try await queue.cancel(try await store.fail(export, failure))
    }
}

/// What came of compiling one export.
private struct CompilingOutcome: Sendable {
    var tenant: Int64
    /// Set where the export can neither be compiled nor be ended: this leader does not look at it again.
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
