import FarmAPI
import Coordinator
import ExportPlan
import JobQueue

/// What clients, operators and faults do to the farm.
extension Simulation {
    mutating func happen(_ kind: ScenarioEvent.Kind) async throws {
        note("\(kind)")
        switch kind {
        case .submit, .cancel, .retry, .pause: await request(kind)
        case .kill(let place, let time):
            kill(place)
            timeline.add(.repair(kind), at: clock.now + time)
        case .hang(let place, let time): workers[place].hungUntil = max(workers[place].hungUntil, clock.now + time)
        case .slow(let place, let factor, let time):
            workers[place].slowFactor = factor
            timeline.add(.repair(kind), at: clock.now + time)
        case .drain(let place, let time):
            drain(place)
            timeline.add(.repair(kind), at: clock.now + time)
        case .storePause(let place, let time):
            workers[place].isPaused = true
            returnWaiting(place)
            timeline.add(.repair(kind), at: clock.now + time)
        case .lack(let place, let job, let time):
            workers[place].lacks.insert(job)
            timeline.add(.repair(kind), at: clock.now + time)
        case .fail(let export, let job, let failureClass, let times):
            failing[artifact(export, job), default: []].append((failureClass, times))
        case .loseArtifact(let export, let job):
            let lost = artifact(export, job)
            record.with { _ = $0.artifacts.remove(lost) }
        case .flushQueue:
            await queue.flush()
            let now = clock.now
            record.with { state in
                state.queueTroubleUntil = max(state.queueTroubleUntil, now)
                state.toStop = [:]
            }
        case .queueAway(let time):
            let until = clock.now + time
            record.with { state in
                state.queueAwayUntil = max(state.queueAwayUntil, until)
                state.queueTroubleUntil = max(state.queueTroubleUntil, until)
                state.toStop = [:]
            }
        case .storeAway(let time):
            let until = clock.now + time
            record.with { $0.storeAwayUntil = max($0.storeAwayUntil, until) }
        case .next(let fault, let times): record.with { $0.due[fault, default: 0] += times }
        case .newLeader: takeLead()
        case .stopLeader(let time):
            leaders[leaders.count - 1].stoppedUntil = clock.now + time
            if time > 5000 { timeline.add(.repair(kind), at: clock.now + 5000) }
        }
        for place in workers.indices { noteHealth(of: place) }
    }

    private func artifact(_ export: Int, _ job: Int) -> Artifact {
        let model = scenario.exports[export]
        return Artifact(tenant: model.tenant, key: model.plan.jobs[job].key)
    }

    mutating func repair(_ kind: ScenarioEvent.Kind) async throws {
        switch kind {
        case .kill(let place, _): revive(place)
        case .slow(let place, _, _): workers[place].slowFactor = 1
        case .drain(let place, _): workers[place].isDraining = false
        case .storePause(let place, _): workers[place].isPaused = false
        case .lack(let place, let job, _): workers[place].lacks.remove(job)
        case .pause(let role, _): await setPaused(role, false)
        case .stopLeader: takeLead()
        default: break
        }
        for place in workers.indices { noteHealth(of: place) }
    }

    /// Ends all faults.
    mutating func recover() async throws {
        note("no more faults")
        isRecovered = true
        failing = [:]
        record.with { state in
            (state.queueAwayUntil, state.storeAwayUntil, state.due) = (0, 0, [:])
        }
        for place in workers.indices {
            revive(place)
            workers[place].slowFactor = 1
            (workers[place].isDraining, workers[place].isPaused, workers[place].lacks) = (false, false, [])
            noteHealth(of: place)
        }
        for role in WorkerRole.allCases { await setPaused(role, false) }
    }

    // MARK: Requests

    /// A request of a client or an operator, as the API serves it. Where the store is away, it is sent again a second
    /// later.
    private mutating func request(_ kind: ScenarioEvent.Kind) async {
        do {
            switch kind {
            case .submit(let export): try await submit(scenario.exports[export])
            case .cancel(let export):
                let id = scenario.exports[export].id
                let stopped = try await seatStore(nil).cancel(id)
                // Where the queue is away, the workers end in vain; that harms nobody.
                try? await seatQueue(0).cancel(stopped ?? [])
                tellLeaders(of: id)
            case .retry(let export):
                let id = scenario.exports[export].id
                let failed = await store.jobs(JobFilter(export: id, state: .failed, limit: 1)).first
                if let failed { try await seatStore(nil).retry(failed.id) }
                tellLeaders(of: id)
            case .pause(let role, let time):
                await setPaused(role, true)
                timeline.add(.repair(kind), at: clock.now + time)
            default: break
            }
        } catch let error as FarmError where error.code == .unavailable {
            if case .submit(let export) = kind { tellLeaders(of: scenario.exports[export].id) }
            if case .cancel(let export) = kind { tellLeaders(of: scenario.exports[export].id) }
            if case .retry(let export) = kind { tellLeaders(of: scenario.exports[export].id) }
            timeline.add(.scenario(kind), at: clock.now + 1000)
        } catch let error as FarmError where error.code == .conflict {
            note("refused: \(error)")
        } catch {
            record.violate("a request failed: \(error)")
        }
    }

    private mutating func submit(_ model: ExportModel) async throws {
        let request = ExportRequest(.document("{}"), label: model.id.text, priority: model.priority)
        let accepted = try await seatStore(nil).submit(
            request, id: model.id, tenant: model.tenant, idempotency: (key: model.id.text, bodyHash: "the same"))
        if accepted.export.id != model.id { record.violate("a repeated submission gave another export") }
        submitted += 1
        tellLeaders(of: model.id)
    }

    private mutating func setPaused(_ role: WorkerRole, _ isPaused: Bool) async {
        do {
            try await seatStore(nil).setPaused(role, isPaused)
        } catch {
            // The store is away, and the operator does not insist; what was committed is heard of all the same.
            note("refused: \(error)")
        }
        for leader in leaders { leader.steps.noteSettings() }
    }

    /// The database tells the leader of what a coordinator has committed.
    private func tellLeaders(of export: ExportID) {
        for leader in leaders { leader.steps.note(export) }
        record.with { $0.called = true }
    }
}
