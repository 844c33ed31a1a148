import FarmAPI
import Coordinator
import ExportPlan
import JobQueue
import Scheduling
import TestSupport
import Testing
import FoundationEssentials

/// A farm with random events: late and repeated reports, workers that die, artifacts that vanish, operators who change
/// their minds.
@Suite("Every store: random events")
struct StoreConformanceWalk {
    @Test(
        "After any events in any order the store is consistent, and every export ends",
        arguments: StoreKind.allCases, UInt64(1)...12)
    func walk(kind: StoreKind, seed: UInt64) async throws {
        try await onStore(kind) { farm in
            let other = try await farm.store.createTenant("other", weight: 3).id
            var walk = FarmWalk(farm: farm, tenants: [farm.tenant, other], numbers: RandomNumbers(seed: seed))
            for step in 1...150 {
                try await walk.step()
                if step % 10 == 0 { try await expectConsistency(of: farm.store) }
            }
            try await walk.settle()
            let open = try await farm.store.exports(ExportFilter(limit: 1000)).filter { !$0.state.isTerminal }
            #expect(open.isEmpty, "nothing hangs")
            #expect(try await farm.store.inFlight().isEmpty)
        }
    }
}

/// One random history of a farm.
private struct FarmWalk {
    let farm: StoreFixture
    let tenants: [Int64]
    var numbers: RandomNumbers
    var films: [ExportID: SampleFilm] = [:]
    /// All tickets that ever existed, because workers may report on any of them again and again.
    var tickets: [JobTicket] = []
    /// How many seconds the farm's clock is ahead of the real one.
    var elapsed = 0.0

    var time: Date { farm.now + elapsed }

    mutating func step() async throws {
        elapsed += .random(in: 0...3, using: &numbers)
        switch Int.random(in: 0..<100, using: &numbers) {
        case 0..<10: try await submit()
        case 10..<30: try await compile()
        case 30..<55: try await dispatch()
        case 55..<92: try await report()
        case 92..<95: try await lose()
        case 95..<97: try await cancel()
        default: try await retry()
        }
    }

    /// Lets the farm finish without any further faults.
    mutating func settle() async throws {
        for lost in try await farm.store.inFlight() {
            expectOver(
                try await farm.store.expireLeases([lost.id], at: time, jitter: 0).toCancel,
                try await farm.store.inFlight().map(\.id))
        }
        while case let done = try await farm.work(), try await !farm.store.exportsToCompile(limit: 1).isEmpty || !done.isEmpty {
            try await compile()
        }
    }

    private mutating func submit() async throws {
        // There are few names, so that many films share segments and some films are the same.
        let pictures = some(of: ["sea", "hills", "rain", "town"], atMost: 3)
        let film = SampleFilm(pictures: pictures, sounds: some(of: ["waves", "wind"], atMost: 2))
        let tenant = tenants[Int.random(in: 0..<tenants.count, using: &numbers)]
        films[try await farm.submit(tenant: tenant).id] = film
    }

    private mutating func some(of names: [String], atMost most: Int) -> [String] {
        (0..<Int.random(in: 1...most, using: &numbers)).map { _ in names[Int.random(in: 0..<names.count, using: &numbers)] }
    }

    private mutating func compile() async throws {
        for (source, state) in try await farm.store.exportsToCompile(limit: 3) {
            let film = try #require(films[source.id])
            let faults = try await farm.store.probeResults(of: source.id).values.contains { probeResult in
                if case .fault = probeResult { true } else { false }
            }
            if faults {
                _ = try await farm.store.fail(source.id, ExportFailure(.input, message: "a source is no good"))
            } else if state == .probing {
                try await farm.store.startRendering(
                    source.id, PlannedExport(jobs: film.jobs, filmKey: film.filmKey, frameCount: film.frameCount))
            } else {
                let locations = Set(some(of: ["holiday", "song", "title"], atMost: 3)).sorted()
                try await farm.store.startProbing(
                    source.id, jobs: locations.enumerated().map { ($1, .probe($1, ordinal: $0)) })
            }
        }
    }

    private mutating func dispatch() async throws {
        for role in WorkerRole.allCases {
            let jobs = try await farm.candidates(role, perExport: 2, at: time).map(\.id).shuffled(using: &numbers)
            tickets += try await farm.store.dispatch(Array(jobs.prefix(3)), at: time)
        }
    }

    private mutating func report() async throws {
        guard !tickets.isEmpty else { return }
        // Mostly recent tickets, sometimes any.
        let recent = Bool.random(using: &numbers) ? max(0, tickets.count - 5) : 0
        let ticket = tickets[Int.random(in: recent..<tickets.count, using: &numbers)]
        let before = try await farm.job(ticket.job)
        let effects = try await farm.report(ticket, outcome(of: ticket), at: time)
        let after = try await farm.job(ticket.job)
        expectOver(effects.toCancel, try await farm.store.inFlight().map(\.id))
        #expect(after.attempt == before.attempt)
        if before.state.isTerminal { #expect(after == before) }
        if after.state != before.state, after.state == .ready || after.state == .done { #expect(effects.hasNews) }
    }

    private mutating func outcome(of ticket: JobTicket) -> JobReport.Outcome {
        switch Int.random(in: 0..<100, using: &numbers) {
        case 0..<25: return .started
        case 25..<70:
            guard case .probe(let location, _) = ticket.work else { return .finished(result: JobResult(), reused: false) }
            return .finished(result: JobResult(facts: .sample(location)), reused: false)
        case 70..<80: return .returned
        case 80..<84: return .cancelled
        default:
            let classes: [FailureClass] = [.transient, .transient, .transient, .environment, .crash, .resource, .input]
            let failureClass = classes[Int.random(in: 0..<classes.count, using: &numbers)]
            let isGone = ticket.kind == .stitch || ticket.kind == .soundtrack
            let missing = tickets[Int.random(in: 0..<tickets.count, using: &numbers)]
            return .failed(
                failure: JobFailure(
                    failureClass, subject: "", message: "went wrong",
                    missingArtifacts: isGone && failureClass == .transient && missing.kind != .probe ? [missing.key] : []))
        }
    }

    private mutating func lose() async throws {
        let lost = try await farm.store.inFlight().map(\.id).filter { _ in Bool.random(using: &numbers) }
        let effects = try await farm.store.expireLeases(lost, at: time, jitter: 0.5)
        expectOver(effects.toCancel, try await farm.store.inFlight().map(\.id))
    }

    private mutating func cancel() async throws {
        guard let id = films.keys.sorted().randomElement(using: &numbers) else { return }
        let told = try await farm.store.cancel(id)
        expectOver(told ?? [], try await farm.store.inFlight().map(\.id))
    }

    private mutating func retry() async throws {
        let failed = try await farm.store.jobs(JobFilter(state: .failed, limit: 1000))
        guard let job = failed.randomElement(using: &numbers) else { return }
        if try await farm.state(job.export) == .failed {
            try await farm.store.retry(job.id)
        } else {
            await expectRefusal(.conflict) { try await farm.store.retry(job.id) }
        }
    }

    private func expectOver(_ told: [AttemptID], _ inFlight: [AttemptID]) {
        #expect(Set(told).isDisjoint(with: inFlight), "who is told to stop has nothing in hand any more")
    }
}
