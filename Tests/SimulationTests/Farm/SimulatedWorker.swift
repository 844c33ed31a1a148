import FarmAPI
import ExportPlan
import JobQueue

/// A worker that renders nothing: it takes tickets, reports, and renews leases as `Worker` does, for as long as it is
/// well.
struct SimulatedWorker {
    struct Running {
        var delivery: JobDelivery
        var begunAt: Int
        /// Whether the report of its start is the report of its end.
        var tellsStartAtEnd = false
        var id: AttemptID { delivery.ticket.identity }
    }

    let model: WorkerModel
    /// Grows each time the worker dies; what an earlier one had planned does not happen.
    var incarnation = 0
    var isUp = true
    /// Until this time it stands still.
    var hungUntil = 0
    var slowFactor = 1
    var isDraining = false
    var isPaused = false
    var lacks: Set<JobKind> = []
    /// Which slots are taken, and the deliveries that wait for some.
    var slots: SlotAllocation
    var running: [Running] = []
    /// Reports that the queue has not answered yet, in order.
    var unsent: [(report: JobReport, finishing: JobDelivery?)] = []
    var seconds = 0
    /// Whether it is about to look for tickets.
    var isCalled = false

    init(_ model: WorkerModel) {
        self.model = model
        slots = SlotAllocation(WorkerCapacity(slots: model.slots, memory: model.memory))
    }

    var takesJobs: Bool { isUp && !isDraining && !isPaused }

    /// Everything whose lease it renews.
    var deliveries: [JobDelivery] { slots.waiting + running.map(\.delivery) + unsent.compactMap(\.finishing) }

    func status(at clock: SimulatedClock) -> WorkerStatus {
        var status = WorkerStatus(
            id: model.id, host: "simulated", version: "1", roles: model.roles, pools: ["default"], slots: model.slots,
            memory: model.memory, startedAt: clock.date, seenAt: clock.date, isDraining: isDraining,
            pausedFor: isPaused ? "its store is away" : nil,
            running: running.map { running in
                WorkerStatus.Running(
                    job: running.id.job, attempt: running.id.attempt, kind: running.delivery.ticket.kind, done: 0, total: 0,
                    startedAt: clock.date(of: running.begunAt), width: running.delivery.ticket.width(at: slots.capacity))
            }, waiting: slots.waiting.map(\.ticket.identity))
        status.readsExpress = true
        return status
    }
}
