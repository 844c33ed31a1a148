import ArtifactStore
import ExportPlan
import FarmAPI
import JobQueue
import Logging
import RenderingProcesses

/// The ends of jobs: what a rendering process says of a job is compared with the store, its artifact is published, and the
/// queue is told.
extension SlotSupervisor {
    func ended(_ delivery: JobDelivery, _ outcome: JobOutcome, log: String) async {
        let job = running[delivery.ticket.identity]
        let lookup = lookups.lookup(for: delivery.ticket.identity)
        running[delivery.ticket.identity]?.end()
        logger.renderer(log, of: delivery.ticket)
        if let loss = job?.loss, job?.stopReason == nil {
            await fail(delivery, loss.failure, log: log, isOfStore: loss.isOfStore)
            return finish(delivery)
        }
        switch outcome {
        case .finished(var result):
            result.fetched = fetched[delivery.ticket.identity]
            let fault: JobFailure?
            do {
                fault = try await wait(for: lookup) { [result] in await lookup.fault(of: result, delivery.ticket) }
            } catch let failure as JobFailure {
                fault = failure
            } catch {
                break  // the worker ends; its lease expires and others get the job
            }
            if let fault {
                await fail(delivery, fault, log: log)
                break
            }
            let finished = Finished(
                delivery: delivery, result: result, log: log, measured: job?.measurement(),
                storedBytes: try? await wait(for: lookup) { await lookup.size(of: delivery.ticket) })
            guard files != nil, delivery.ticket.kind != .probe else {
                await confirm(finished)
                break
            }
            guard uploading < slots.capacity.slots else {
                await publish(finished)
                break
            }
            // The slot goes on with the next job meanwhile.
            freeSlot(of: delivery)
            uploading += 1
            Task {
                await publish(finished)
                uploading -= 1
                forget(delivery)
                if isDraining { wakeSlots() }
            }
            return
        case .failed(let failure):
            let judged: JobFailure
            do {
                judged = try await wait(for: lookup) { await lookup.judged(failure, of: delivery.ticket) }
            } catch {
                judged = error as? JobFailure ?? failure  // cancelled: the failure is not reported in any case
            }
            await fail(delivery, judged, log: log)
        case .died(let death):
            let outcome = job?.outcome(ofDeath: death) ?? .returned
            if case .failed(let failure) = outcome {
                await fail(delivery, failure, log: log)
            } else {
                await report(outcome, of: delivery, log: log)
            }
        }
        finish(delivery)
    }

    /// A job whose artifact this machine has.
    private struct Finished: Sendable {
        var delivery: JobDelivery
        var result: JobResult
        var log: String
        var measured: JobMeasurement?
        /// The artifact's bytes; nil where nobody knows.
        var storedBytes: Int64?
    }

    private func confirm(_ job: Finished) async {
        storageHasServed = true
        await report(
            .finished(result: job.result, reused: false), of: job.delivery, log: job.log, measured: job.measured,
            storedBytes: job.storedBytes)
    }

    /// Publishes an artifact in the farm's store. Only then is the job done.
    private func publish(_ job: Finished) async {
        do {
            try await files?.publish(job.delivery.ticket)
            await confirm(job)
        } catch let error as any ClassifiedError {
            await fail(job.delivery, JobFailure(error), log: job.log, isOfStore: true)
        } catch {
            // The worker ends; its lease expires and others get the job.
        }
    }

    /// - Parameter isOfStore: whether the failure is known to be the store's; otherwise that is seen from the file that it
    ///   names.
    func fail(_ delivery: JobDelivery, _ failure: JobFailure, log: String = "", isOfStore: Bool = false) async {
        let ticket = delivery.ticket
        logger.warning(
            "job \(ticket.job), attempt \(ticket.attempt): \(failure.description)", metadata: ticket.logMetadata)
        // A file outside the store says nothing about the store: only the job that needs the file waits for it.
        let isOfStore =
            failure.failureClass == .storage && (isOfStore || configuration.directory.contains(failure.subject))
        if isOfStore { await pause(failure.description) }
        if failure.failureClass == .environment { noteLack(failure) }
        await report(.failed(failure: failure), of: delivery, log: log)
        if isOfStore { storageFailed.wake() }
    }

    func finish(_ delivery: JobDelivery) {
        freeSlot(of: delivery)
        forget(delivery)
    }

    func forget(_ delivery: JobDelivery) {
        running[delivery.ticket.identity] = nil
        fetched[delivery.ticket.identity] = nil
        if let files { Task { await files.release(delivery.ticket.identity) } }
    }

    func freeSlot(of delivery: JobDelivery) {
        slots.end(delivery)
        lookups.release(delivery.ticket.identity)
        freeWaiters.wakeAll()
        // A wide job may fit now, in the slots of jobs that ended before this one, too.
        if !slots.waiting.isEmpty { wakeSlots() }
    }

    /// Reports the start of a job that is not over soon. The report of an early end says that the job began, too, which
    /// halves the reports of short jobs.
    func reportStartLater(of delivery: JobDelivery) {
        let id = delivery.ticket.identity
        running[id]?.startReport = Task {
            do {
                try await Task.sleep(for: JobReport.startDelay)
                guard !isClosed, let job = running[id] else { return }
                let report = JobReport(id, worker: configuration.id, .started, startedAgo: job.seconds())
                try await queue.report(report, finishing: nil)
                running[id]?.startIsReported = true
            } catch {
                // Cancelled, or the queue is away: the report of the end says it.
            }
        }
    }

    /// Sends the report of a job's end, again and again until the queue has it: a job whose result is not reported would be
    /// rendered again.
    func report(
        _ outcome: JobReport.Outcome, of delivery: JobDelivery, log: String = "", measured: JobMeasurement? = nil,
        storedBytes: Int64? = nil
    ) async {
        let job = running[delivery.ticket.identity]
        job?.startReport?.cancel()
        while !isClosed, !Task.isCancelled {
            let report = JobReport(
                delivery.ticket.identity, worker: configuration.id, outcome, log: log, measured: measured,
                startedAgo: job.flatMap { $0.startReport == nil || $0.startIsReported ? nil : $0.seconds() },
                storedBytes: storedBytes)
            do {
                try await queue.report(report, finishing: delivery)
                running[delivery.ticket.identity]?.trace.end(outcome)
                return
            } catch {
                guard !isClosed, !Task.isCancelled else { return }
                logger.warning(
                    "cannot report job \(delivery.ticket.job): \(error); retrying", metadata: delivery.ticket.logMetadata)
                try? await Task.sleep(for: .seconds(1))  // cancelled: the loop ends
            }
        }
    }
}
