import ArtifactStore
import ExportPlan
import JobQueue

/// Fetching beside the slots.
///
/// Sources come from addresses. A server may be slow, or stall, so a probe takes no slot until its sources are there: `slots`
/// says that the worker has one more meanwhile, so that the coordinator sends other jobs in its place. Artifacts come from the
/// farm's own store, and a stitch joins the first of them while the last are on their way.
extension SlotSupervisor {
    /// Watches the fetching of artifacts for a job that begins before they are there. The job ends where one cannot be had.
    func follow(_ stream: Task<Void, any Error>, of delivery: JobDelivery) {
        let id = delivery.ticket.identity
        running[id]?.awaitsFiles = true
        Task {  // ends with the fetching
            switch await stream.result {
            case .success: running[id]?.filesArrived()
            case .failure(let error as any ClassifiedError): running[id]?.lose(JobFailure(error), isOfStore: error is BlobError)
            case .failure(is CancellationError): break  // the job is over
            case .failure(let error):
                let failure = JobFailure(.crash, subject: "", message: "unexpected error: \(error)")
                running[id]?.lose(failure, isOfStore: false)
            }
        }
    }

    /// How many more slots the coordinator is told of at most, so that it does not send probes without end.
    private static let mostFetching = 32

    /// How many slots the coordinator counts with.
    var advertisedSlots: Int { configuration.slots + min(fetching.count, SlotSupervisor.mostFetching) }

    /// Fetches what a probe reads. Afterwards the probe waits for a slot, with assets in place of addresses.
    func fetchSources(of delivery: JobDelivery) {
        let ticket = delivery.ticket
        fetching.insert(ticket.identity)
        statusChange.wake()
        let task = Task { [sources] in try await sources.fetch(for: ticket) }  // cancelled by a stop of the job
        running[ticket.identity]?.prepare { task.cancel() }
        if running[ticket.identity]?.stopReason != nil || isClosed { task.cancel() }
        Task {  // ends with the task above
            await fetchingEnded(delivery, await task.result)
        }
    }

    private func fetchingEnded(
        _ delivery: JobDelivery, _ outcome: Result<(work: RenderJob, fetched: [String: FetchedSource]), any Error>
    ) async {
        let id = delivery.ticket.identity
        running[id]?.end()
        switch outcome {
        case .success(let (work, sources)):
            guard await !reportStop(of: delivery) else { break }
            var ready = delivery
            ready.ticket.work = work
            running[id]?.startReport?.cancel()
            running[id] = nil
            fetching.remove(id)
            if pausedFor == nil, !isDraining, !isClosed { fetched[id] = sources }
            statusChange.wake()
            await accept([ready])
            if isDraining { wakeSlots() }
            return
        case .failure(let error as any ClassifiedError): await fail(delivery, JobFailure(error))
        case .failure(is CancellationError):
            // Where the job was not stopped, the worker ends; its lease expires and others get the job.
            _ = await reportStop(of: delivery)
        case .failure(let error):
            await fail(delivery, JobFailure(.crash, subject: "", message: "unexpected error: \(error)"))
        }
        fetching.remove(id)
        forget(delivery)
        statusChange.wake()
        if isDraining { wakeSlots() }
    }
}
