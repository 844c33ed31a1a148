import FarmAPI
import Coordinator
import ExportPlan
import JobQueue
import FoundationEssentials

/// Runs one scenario: a virtual clock, the real leader, store and queue in memory, and workers that render nothing. One
/// task does everything, event by event, so the same scenario always has the same history. After each step the promises
/// are checked, and the run ends with the first that is broken.
struct Simulation {
    struct Outcome: Sendable {
        /// The promise that was broken; nil where all were kept.
        var violation: String?
        /// What happened, line by line; empty unless it was asked for.
        var trace: [String] = []
        var steps = 0
        /// The virtual time at the end, in milliseconds.
        var end = 0
        /// The states in which the exports ended.
        var ends: [ExportState] = []
        /// How many second attempts at stragglers were begun.
        var copies = 0
    }

    let scenario: Scenario
    let clock = SimulatedClock()
    let chance: Chance
    let record: FarmRecord
    let store: MemoryFarmStore
    let queue: MemoryJobQueue
    let claim = QueueClaim()
    let models: [ExportID: ExportModel]
    var timeline = Timeline()
    var workers: [SimulatedWorker]
    var leaders: [Seat] = []
    var promises = Promises()
    /// How often attempts at an artifact still fail, by class.
    var failing: [Artifact: [(failureClass: FailureClass, left: Int)]] = [:]
    var submitted = 0
    var isRecovered = false
    var steps = 0
    var trace: [String]?

    /// A coordinator that leads, or believes so.
    struct Seat {
        var steps: RealLeaderSteps
        var stoppedUntil = 0
        var isOver = false
        var isCalled = false
    }

    /// - Parameter tracing: whether to write down what happens.
    static func run(_ scenario: Scenario, broken: BrokenRule? = nil, tracing: Bool = false) async -> Outcome {
        var simulation = Simulation(scenario, broken: broken, tracing: tracing)
        return await simulation.run()
    }

    private init(_ scenario: Scenario, broken: BrokenRule?, tracing: Bool) {
        let clock = clock
        self.scenario = scenario
        chance = Chance(seed: scenario.seed)
        record = FarmRecord(clock: clock, chance: chance, broken: broken)
        store = MemoryFarmStore(clock: { clock.date })
        queue = MemoryJobQueue(now: { clock.instant })
        models = Dictionary(scenario.exports.map { ($0.id, $0) }) { first, _ in first }
        workers = scenario.workers.map(SimulatedWorker.init)
        trace = tracing ? [] : nil
    }

    // MARK: The course of time

    private mutating func run() async -> Outcome {
        var outcome = Outcome()
        do {
            for name in ["one", "two"] { _ = try await store.createTenant(name, weight: 1) }
            outcome.violation = try await play()
        } catch {
            outcome.violation = "a step failed that must not: \(error)"
        }
        outcome.trace = trace ?? []
        outcome.steps = steps
        outcome.end = clock.now
        outcome.copies = record.with(\.copies)
        outcome.ends = await store.exports(ExportFilter(limit: .max)).map(\.state)
        return outcome
    }

    private mutating func play() async throws -> String? {
        for event in scenario.events { timeline.add(.scenario(event.kind), at: event.at) }
        timeline.add(.recovery, at: Scenario.recovery)
        for place in workers.indices {
            timeline.add(.workerSecond(place, incarnation: 0), at: 10 * place)
            noteHealth(of: place)
        }
        takeLead()
        while let (time, event) = timeline.next(), time <= Scenario.deadline {
            clock.now = max(time, clock.now)
            record.with { $0.lastStep = time }
            steps += 1
            try await handle(event)
            callOthers()
            if let violation = await judge() { return violation }
            if case .leaderSecond = event, isRecovered, await isQuiet() { return await promises.final(store) }
        }
        return await unfinished()
    }

    private mutating func handle(_ event: TimelineEvent) async throws {
        switch event {
        case .scenario(let kind): try await happen(kind)
        case .repair(let kind): try await repair(kind)
        case .recovery: try await recover()
        case .leaderSecond(let place): await lead(place, isSecond: true)
        case .leaderCall(let place): await lead(place, isSecond: false)
        case .workerSecond(let place, let incarnation): await second(of: place, incarnation)
        case .workerTakes(let place, let incarnation):
            workers[place].isCalled = false
            if workers[place].incarnation == incarnation { await take(place) }
        case .attemptEnds(let place, let incarnation, let entry): await end(entry, on: place, incarnation)
        case .arrival(let tickets):
            await queue.send(tickets)
            record.with { $0.sent = true }
        }
    }

    mutating func note(_ line: @autoclosure () -> String) {
        if trace != nil { trace?.append("\(seconds(clock.now)) \(line())") }
    }

    /// Calls leaders where reports have come, and workers where tickets have.
    private mutating func callOthers() {
        let (called, sent, delayed) = record.with { state in
            defer { (state.called, state.sent, state.delayed) = (false, false, []) }
            return (state.called, state.sent, state.delayed)
        }
        for (delay, tickets) in delayed { timeline.add(.arrival(tickets), at: clock.now + delay) }
        for place in leaders.indices where called && !leaders[place].isOver && !leaders[place].isCalled {
            leaders[place].isCalled = true
            let delay = chance.number(.report, in: 1...60, Int64(clock.now), Int64(place))
            timeline.add(.leaderCall(place), at: clock.now + delay)
        }
        for place in workers.indices where sent && workers[place].takesJobs && !workers[place].isCalled {
            workers[place].isCalled = true
            let delay = chance.number(.take, in: 1...40, Int64(clock.now), Int64(place))
            timeline.add(.workerTakes(place, incarnation: workers[place].incarnation), at: clock.now + delay)
        }
    }

    private mutating func judge() async -> String? {
        let (isChanged, found) = record.with { state in
            defer { state.isChanged = false }
            return (state.isChanged, state.violations.first)
        }
        if let found { return found }
        guard isChanged else { return nil }
        let violation = await promises.check(store, record, workers)
        if trace != nil { for line in promises.changes { note(line) } }
        return violation
    }

    // MARK: Leaders

    func seatStore(_ epoch: Int64?) -> FaultyStore { FaultyStore(base: store, record: record, epoch: epoch) }

    func seatQueue(_ epoch: Int64) -> FaultyQueue {
        FaultyQueue(base: queue, record: record, store: store, claim: claim, epoch: epoch)
    }

    /// Another coordinator takes the lead.
    mutating func takeLead() {
        let epoch = Int64(leaders.count + 1)
        record.with { $0.epoch = epoch }
        leaders.append(
            Seat(
                steps: RealLeaderSteps(
                    epoch: epoch, store: seatStore(epoch), queue: seatQueue(epoch), clock: clock, exports: models,
                    isComparing: scenario.seed % 2 == 0)))
        timeline.add(.leaderSecond(leaders.count - 1), at: clock.now + 5)
        note("a coordinator leads, term \(epoch)")
    }

    private mutating func lead(_ place: Int, isSecond: Bool) async {
        if !isSecond { leaders[place].isCalled = false }
        guard !leaders[place].isOver else { return }
        guard clock.now >= leaders[place].stoppedUntil else {
            if isSecond { timeline.add(.leaderSecond(place), at: leaders[place].stoppedUntil) }
            return
        }
        do {
            if isSecond { try await leaders[place].steps.second() } else { try await leaders[place].steps.call() }
        } catch let error as FarmError where error.code == .lostLead {
            leaders[place].isOver = true
            let epoch = leaders[place].steps.epoch
            note("the coordinator of term \(epoch) has lost the lead")
            return
        } catch {
            record.violate("a step of the leader failed: \(error)")
        }
        if isSecond { timeline.add(.leaderSecond(place), at: clock.now + 1000) }
    }

    // MARK: The end

    /// Whether everything is over, and nobody has anything left.
    private func isQuiet() async -> Bool {
        let exports = await store.exports(ExportFilter(limit: .max))
        guard exports.count == submitted, exports.allSatisfy(\.state.isTerminal),
            workers.allSatisfy({ $0.deliveries.isEmpty && $0.unsent.isEmpty }), await store.inFlight().isEmpty
        else { return false }
        let held = await queue.held()
        let reports = (try? await queue.reports(limit: 1, wait: .zero)) ?? []
        return held.isEmpty && reports.isEmpty && leaders.last?.steps.isBusy == false
    }

    private func unfinished() async -> String {
        var left: [String] = []
        for export in await store.exports(ExportFilter(limit: .max)) where !export.state.isTerminal {
            left.append("export \(export.number) is \(export.state)")
            for job in await store.jobs(JobFilter(export: export.id, limit: .max)) where !job.state.isTerminal {
                left.append("job \(job.id) (\(job.key)) is \(job.state)")
            }
        }
        let missing = submitted - (await store.exports(ExportFilter(limit: .max)).count)
        if missing > 0 { left.append("\(missing) accepted exports are gone") }
        if left.isEmpty { left.append("the queue, a worker or the scheduler still holds something") }
        return "not everything is over long after the last fault: " + left.joined(separator: ", ")
    }
}
