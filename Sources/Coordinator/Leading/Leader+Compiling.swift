import FarmAPI
import ExportPlan
import JobQueue
import Synchronization
import Telemetry
import Foundation

/// Turns accepted exports into jobs, beside the dispatch and without delaying it.
extension Leader {
    /// How many batches of exports are compiled at a time: half of the machine's processors, and two at least.
    private static let compilersAtOnce = max(2, min(8, ProcessInfo.processInfo.activeProcessorCount / 2))
    /// How many exports of each tenant are read from the store at once.
    private static let compileRead = 100
    /// How many exports are compiled and stored together at most.
    private static let compileBatch = 16
    /// How many bytes the documents of a batch have about at most, unless one document alone has more. It bounds the time
    /// that a batch takes.
    private static let compileBatchBytes = 256 * 1024
    /// The number of jobs at which the compiled exports are stored before the batch goes on. A short document may have a
    /// long film.
    private static let compileBatchJobs = 2000
    /// How long the exports that were read are compiled before the store is asked again whether others come first: fifty
    /// times as long as it took to answer, so that asking costs a fiftieth of a connection's time however many wait, and
    /// an urgent export waits for a moment only.
    private static let compileReadAges: ClosedRange<Duration> = .milliseconds(20) ... .seconds(1)
    /// Compiles exports until the task is cancelled. Tenants take turns, so that none waits for another's backlog;
    /// within a tenant the export with the highest priority goes first.
    func compileExports(_ called: WakeSignal) async {
        let finished = FinishedCompiling()
        await withDiscardingTaskGroup { group in
            var queue = CompileQueue(
                limit: Leader.compilersAtOnce, limitPerTenant: Leader.compilersAtOnce / 2, batchSize: Leader.compileBatch)
            var readAt = ContinuousClock.now
            var age = Duration.zero
            while !Task.isCancelled {
                for done in finished.take() { queue.ended(done.batch, stuck: done.stuck) }
                if queue.knownTenants.isEmpty && !queue.isFull || readAt.duration(to: .now) >= age {
                    let began = ContinuousClock.now
                    await retrying("compiling") { try await read(into: &queue) }
                    readAt = .now
                    let ages = Leader.compileReadAges
                    age = min(ages.upperBound, max(ages.lowerBound, began.duration(to: readAt) * 50))
                }
                let batch = queue.next()
                guard !batch.isEmpty else {
                    // While exports wait for others, urgent ones or those of another tenant may be accepted meanwhile.
                    _ = await called.wait(atMost: queue.knownTenants.isEmpty && !queue.isFull ? .seconds(5) : age)
                    continue
                }
                group.addTask { [batch] in
                    finished.add(await compile(batch))
                    called.wake()
                }
            }
        }
    }

    /// Reads the exports that may be compiled next, of each tenant.
    private func read(into queue: inout CompileQueue) async throws {
        let waiting = try await store.exportsToCompile(ofEachTenant: Leader.compileRead, besides: queue.excluded)
        queue.clear()
        queue.add(waiting)
    }

    /// Takes exports as far as their known source facts allow. Afterwards an export is no longer among those to compile,
    /// because its state has changed or it has failed; or it is still among them, because the batch was too large.
    private func compile(_ batch: [ExportToCompile]) async -> CompilingOutcome {
        var outcome = CompilingOutcome(batch: batch)
        if batch.count > 1 {
            var isOver = true
            await retrying("compiling") {
                // Where one of them cannot be stored, each is tried alone.
                isOver = try await news.storing { try await together { try await advance(batch) } } != nil
                if isOver { for export in batch { failed.forget(.export(export.id)) } }
            }
            if isOver { return outcome }
        }
        for export in batch {
            if await !compileAlone(export) { outcome.stuck.insert(export.id) }
        }
        return outcome
    }

    /// - Returns: false where the export can neither be compiled nor failed; this leader does not look at it again.
    private func compileAlone(_ export: ExportToCompile) async -> Bool {
        var isStuck = false
        await retrying("compiling") {
            try await news.storing {
                try await isolated(.export(export.id)) {
                    try await advance([export])
                } setAside: { reason in
                    do {
                        try await fail(export.id, ExportFailure(.crash, message: "the export could not be compiled: \(reason)"))
                    } catch {
                        // A database that is away, or a lost lead, says nothing about the export.
                        if (error as? FarmError)?.concernsAll != true { isStuck = true }
                        throw error
                    }
                }
            }
        }
        return !isStuck
    }

    /// Compiles exports together: those that are new become probe jobs, and those whose facts are known the jobs of their
    /// plans. The number of statements does not depend on the number of exports.
    private func advance(_ exports: [ExportToCompile]) async throws {
        let sources = try await store.sources(of: exports.map(\.id), documentBytes: Leader.compileBatchBytes)
        let thread = PlanningThread(planner)
        var ready = Set(exports.filter { $0.state == .probing }.map(\.id))
        let submitted = sources.filter { !ready.contains($0.id) }
        let trace = CompilerTrace(of: sources.map(\.id))
        defer { trace.end() }
        if !submitted.isEmpty {
            let hasFacts = try await counted(submitted) { sources in
                var exports: [ExportProbes] = []
                for source in sources {
                    let table = costs.table(forPool: source.pool)
                    let probes = try await failing(source.id) { try await thread.probes(of: source, predictedBy: table) }
                    if let probes { exports.append(ExportProbes(export: source.id, probes: probes)) }
                }
                return try await store.startProbing(exports)
            }
            tellOfJobs(submitted)
            ready.formUnion(hasFacts)
        }
        let probed = sources.filter { ready.contains($0.id) }
        guard !probed.isEmpty else { return }
        let probeResults = try await store.probeResults(of: probed.map(\.id))
        try await counted(probed) { sources in
            var plans: [ExportPlanned] = []
            for source in sources {
                let table = costs.table(forPool: source.pool)
                let plan = try await failing(source.id) {
                    try await thread.plan(source, probeResults[source.id] ?? [:], predictedBy: table)
                }
                guard let plan else { continue }
                plans.append(ExportPlanned(export: source.id, plan: plan))
                if plans.map(\.plan.jobs.count).reduce(0, +) >= Leader.compileBatchJobs {
                    record(try await store.startRendering(plans))
                    plans = []
                }
            }
            if !plans.isEmpty { record(try await store.startRendering(plans)) }
        }
        tellOfJobs(probed)
    }

    /// Counts the jobs that are done from the start.
    private func record(_ reused: [JobKind: Int]) {
        for (kind, count) in reused { FarmMetric.reusedJobs.add(Double(count), kind.rawValue) }
    }

    /// Compiles an export, and fails it where its draft has errors.
    /// - Returns: nil where it has failed.
    private func failing<Result>(_ export: ExportID, _ compile: () async throws -> Result) async throws -> Result? {
        do {
            return try await compile()
        } catch let failure as ExportFailure {
            try await fail(export, failure)
            return nil
        }
    }

    /// Tells the dispatch that exports have new jobs. It does not wait for reports, because one of the jobs may be urgent or
    /// the first of its tenant; there are few batches a second.
    private func tellOfJobs(_ exports: [ExportSource]) {
        news.add(ScheduleChanges(exports: Set(exports.map(\.id))))
        dispatching.wake()
    }

    /// How often compiling one export may begin without an end, on any coordinator, before its draft is taken for the
    /// cause.
    static let compilingLimit = 5

    /// Compiles, stores the outcome, and counts in the database that compiling begins. The count ends with the state that
    /// the outcome gives an export, or with an error. Without the count, a draft that crashes the process would crash one
    /// leader after the other. An export whose compiling has begun too often fails, class `crash`.
    /// - Parameter compile: is given the other exports.
    /// - Throws: what `compile` throws.
    private func counted<Result: Sendable>(
        _ sources: [ExportSource], _ compile: ([ExportSource]) async throws -> Result
    ) async throws -> Result {
        let counts = try await store.beginCompiling(sources.map(\.id))
        let isCause = { (source: ExportSource) in counts[source.id, default: 0] > Leader.compilingLimit }
        for source in sources where isCause(source) {
            try await fail(
                source.id,
                ExportFailure(
                    .crash,
                    message:
                        "the coordinator ended \(Leader.compilingLimit) times in a row while it compiled this draft; please "
                        + "report it with the draft"))
        }
        do {
            return try await compile(sources.filter { !isCause($0) })
        } catch {
            // A draft that crashes the process does not come here. A task of its own, because this one may be cancelled;
            // where the database is away, the count stays, and a later end of compiling clears it.
            _ = await Task { try? await store.endCompiling(sources.map(\.id)) }.value
            throw error
        }
    }
}

/// The outcome of compiling a batch of exports.
private struct CompilingOutcome: Sendable {
    var batch: [ExportToCompile]
    /// Exports that can neither be compiled nor failed; this leader does not look at them again.
    var stuck: Set<ExportID> = []
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
