import FarmAPI
import Coordinator
import ExportPlan
import JobQueue

/// What the workers do.
extension Simulation {
    /// Heartbeats, leases, and reports that were not answered yet.
    mutating func second(of place: Int, _ incarnation: Int) async {
        guard workers[place].incarnation == incarnation, workers[place].isUp else { return }
        guard clock.now >= workers[place].hungUntil else {
            return timeline.add(.workerSecond(place, incarnation: incarnation), at: workers[place].hungUntil)
        }
        noteHealth(of: place)
        timeline.add(.workerSecond(place, incarnation: incarnation), at: clock.now + 1000)
        workers[place].seconds += 1
        await sendReports(of: place)
        let queue = seatQueue(0)
        let id = workers[place].model.id
        do {
            let stopping = try await queue.heartbeat(workers[place].status(at: clock), lifetime: .seconds(10)).cancelled
            for running in workers[place].running where stopping.contains(running.id) {
                workers[place].running.removeAll { $0.delivery.entry == running.delivery.entry }
                workers[place].slots.end(running.delivery)
                await report(.cancelled, of: running.delivery, on: place)
            }
            for delivery in workers[place].slots.removeWaiting(among: stopping) {
                await report(.cancelled, of: delivery, on: place)
            }
            judgeStops(of: place)
            if workers[place].seconds % 4 == 0 { try await queue.renew(workers[place].deliveries, worker: id) }
            if workers[place].isDraining, workers[place].running.isEmpty { try await queue.deregister(worker: id) }
        } catch {
            return  // the queue is away
        }
        await beginJobs(place)
        await take(place)
    }

    /// A worker whose attempt was cancelled, and that could be told, has to know it after some heartbeats.
    private func judgeStops(of place: Int) {
        guard let health = record.with({ $0.well[workers[place].model.id] }) else { return }
        for running in workers[place].running {
            guard let since = record.with({ $0.toStop[running.id] }) else { continue }
            let known = max(since, health.since, running.begunAt)
            if clock.now - known > 5000 {
                record.violate(
                    "worker \(workers[place].model.id) still has \(running.id.text), cancelled at \(seconds(since))")
            }
        }
    }

    mutating func take(_ place: Int) async {
        let worker = workers[place]
        guard worker.takesJobs, clock.now >= worker.hungUntil, worker.slots.free > 0 else { return }
        let taken = try? await seatQueue(0).take(
            roles: worker.model.roles, pools: ["default"], worker: worker.model.id, limit: worker.slots.free,
            wait: .zero)
        for delivery in taken ?? [] {
            let id = delivery.ticket.identity
            note("\(worker.model.id) takes \(id.text) (\(delivery.ticket.key))")
            record.with { _ = $0.taken.insert(id) }
        }
        workers[place].slots.wait(taken ?? [])
        await beginJobs(place)
    }

    /// Begins the jobs for which there are slots.
    private mutating func beginJobs(_ place: Int) async {
        let worker = workers[place]
        while let delivery = workers[place].slots.begin() {
            let id = delivery.ticket.identity
            // Real workers do so for jobs that are over within `JobReport.startDelay`; here any job may be one.
            let tellsStartAtEnd = chance.unit(.start, id.job, Int64(id.attempt)) < 0.4
            workers[place].running.append(
                SimulatedWorker.Running(delivery: delivery, begunAt: clock.now, tellsStartAtEnd: tellsStartAtEnd))
            judgeMemory(of: place)
            if !tellsStartAtEnd { await report(.started, of: delivery, on: place) }
            let factor = worker.model.slowness * Double(worker.slowFactor)
            let spread = 0.7 + 0.6 * chance.unit(.duration, id.job, Int64(id.attempt))
            let time = Int(weight(of: delivery.ticket) * 1000 * factor * spread)
            timeline.add(.attemptEnds(place, incarnation: worker.incarnation, entry: delivery.entry), at: clock.now + time + 20)
        }
    }

    /// Jobs that run together need no more memory by prediction than their worker has. One job alone may.
    private func judgeMemory(of place: Int) {
        let worker = workers[place]
        guard let memory = worker.model.memory, worker.running.count > 1 else { return }
        let needed = worker.running.reduce(0) { $0 + (planned($1.delivery.ticket)?.demand.memory ?? 0) }
        if needed > memory {
            record.violate("worker \(worker.model.id) runs \(worker.running.map(\.id.text)), which need \(needed) bytes")
        }
    }

    private func weight(of ticket: JobTicket) -> Double { planned(ticket)?.weight ?? 1 }

    private func planned(_ ticket: JobTicket) -> PlannedJob? {
        for model in scenario.exports where model.tenant == ticket.tenant {
            if let job = (model.probes + model.plan.jobs).first(where: { $0.key == ticket.key }) { return job }
        }
        return nil
    }

    // MARK: Ends

    mutating func end(_ entry: String, on place: Int, _ incarnation: Int) async {
        guard workers[place].incarnation == incarnation else { return }
        guard clock.now >= workers[place].hungUntil else {
            let event = TimelineEvent.attemptEnds(place, incarnation: incarnation, entry: entry)
            return timeline.add(event, at: workers[place].hungUntil + 1)
        }
        guard let index = workers[place].running.firstIndex(where: { $0.delivery.entry == entry }) else { return }
        let ended = workers[place].running.remove(at: index)
        let delivery = ended.delivery
        workers[place].slots.end(delivery)
        let startedAgo = ended.tellsStartAtEnd ? Double(clock.now - ended.begunAt) / 1000 : nil
        await report(outcome(of: delivery.ticket, on: place), of: delivery, on: place, startedAgo: startedAgo)
        await beginJobs(place)
        await take(place)
    }

    private mutating func outcome(of ticket: JobTicket, on place: Int) -> JobReport.Outcome {
        let artifact = Artifact(tenant: ticket.tenant, key: ticket.key)
        let stored = record.with(\.artifacts)
        if ticket.kind != .probe, stored.contains(artifact) { return .finished(result: JobResult(), reused: true) }
        if workers[place].lacks.contains(ticket.kind) {
            return .failed(failure: JobFailure(.environment, subject: "", message: "a codec is missing"))
        }
        if let index = failing[artifact]?.firstIndex(where: { $0.left > 0 }) {
            failing[artifact]?[index].left -= 1
            let failureClass = failing[artifact]?[index].failureClass ?? .transient
            return .failed(failure: JobFailure(failureClass, subject: "", message: "the scenario lets it fail"))
        }
        let missing = inputs(of: ticket).filter { !stored.contains(Artifact(tenant: ticket.tenant, key: $0)) }
        if !missing.isEmpty {
            return .failed(
                failure: JobFailure(.transient, subject: "", message: "artifacts are missing", missingArtifacts: missing))
        }
        record.with { state in
            state.artifacts.insert(artifact)
            state.made.insert(artifact)
        }
        return .finished(result: JobResult(), reused: false)
    }

    private func inputs(of ticket: JobTicket) -> [ArtifactKey] {
        let model = scenario.exports.first { export in
            export.tenant == ticket.tenant && export.plan.jobs.contains { $0.key == ticket.key }
        }
        return model?.inputs(of: ticket.kind) ?? []
    }

    private mutating func report(
        _ outcome: JobReport.Outcome, of delivery: JobDelivery, on place: Int, startedAgo: Double? = nil
    ) async {
        let (id, name) = (delivery.ticket.identity, workers[place].model.id)
        note("\(name) reports \(id.text): \(Simulation.text(outcome))")
        let isFinal = outcome != .started
        workers[place].unsent.append(
            (JobReport(id, worker: name, outcome, startedAgo: startedAgo), isFinal ? delivery : nil))
        await sendReports(of: place)
    }

    private mutating func sendReports(of place: Int) async {
        while let first = workers[place].unsent.first {
            do {
                try await seatQueue(0).report(first.report, finishing: first.finishing)
            } catch {
                return  // sent again with the next heartbeat
            }
            workers[place].unsent.removeFirst()
        }
    }

    private static func text(_ outcome: JobReport.Outcome) -> String {
        switch outcome {
        case .started: "started"
        case .finished(_, let reused): reused ? "finished, was there" : "finished"
        case .failed(let failure): "failed, \(failure.failureClass)" + (failure.missingArtifacts.map { ", missing \($0)" } ?? "")
        case .returned: "returned"
        case .cancelled: "cancelled"
        }
    }

    // MARK: Health

    mutating func kill(_ place: Int) {
        guard workers[place].isUp else { return }
        let orphans = workers[place].deliveries
        record.with { $0.orphans += orphans }
        workers[place].incarnation += 1
        (workers[place].running, workers[place].unsent) = ([], [])
        workers[place].slots = SlotAllocation(workers[place].slots.capacity)
        (workers[place].isUp, workers[place].isCalled, workers[place].hungUntil) = (false, false, 0)
    }

    mutating func revive(_ place: Int) {
        guard !workers[place].isUp else { return }
        workers[place].isUp = true
        timeline.add(.workerSecond(place, incarnation: workers[place].incarnation), at: clock.now + 1)
    }

    /// Takes no more jobs, and returns those that wait and one that it has just begun.
    mutating func drain(_ place: Int) {
        workers[place].isDraining = true
        returnWaiting(place)
        guard let last = workers[place].running.popLast() else { return }
        workers[place].slots.end(last.delivery)
        workers[place].unsent.append(
            (JobReport(last.id, worker: workers[place].model.id, .returned), last.delivery))
    }

    /// Returns the jobs that wait for slots.
    mutating func returnWaiting(_ place: Int) {
        for delivery in workers[place].slots.removeWaiting() {
            workers[place].unsent.append(
                (JobReport(delivery.ticket.identity, worker: workers[place].model.id, .returned), delivery))
        }
    }

    /// Notes since when a worker has been well.
    func noteHealth(of place: Int) {
        let worker = workers[place]
        let isWell = worker.takesJobs && clock.now >= worker.hungUntil
        let now = clock.now
        record.with { state in
            if !isWell {
                state.well[worker.model.id] = nil
            } else if state.well[worker.model.id] == nil {
                state.well[worker.model.id] = (now, Set(worker.model.roles))
            }
        }
    }
}
