import ExportPlan
import FarmAPI
import JobQueue

/// A queue whose server is stopped, or cannot be reached.
struct AwayQueue: CoordinatorQueue {
    struct Refused: QueueServerError {
        let isOutage = true
    }

    /// Whether requests get no answer; otherwise they fail at once.
    let hangs: Bool

    private func refuse() async throws -> Never {
        if hangs { try await Task.sleep(for: .seconds(3600)) }
        throw Refused()
    }

    func prepare(pools: [String]) async throws -> Bool { try await refuse() }
    func highestJob() async throws -> Int64 { try await refuse() }
    func send(_ tickets: [JobTicket]) async throws { try await refuse() }
    func reports(limit: Int, wait: Duration) async throws -> [ReportDelivery] { try await refuse() }
    func acknowledge(_ reports: [ReportDelivery]) async throws { try await refuse() }
    func reclaimExpired(idle: Duration) async throws -> [JobTicket] { try await refuse() }
    func withdrawUnread(age: Duration, besides workers: [WorkerStatus]) async throws -> [JobTicket] { try await refuse() }
    func withdrawUnread(age: Duration, sentTo workers: [String]) async throws -> [JobTicket] { try await refuse() }
    func reported() async throws -> Set<AttemptID> { try await refuse() }
    func ping() async throws { try await refuse() }
    func held() async throws -> Set<AttemptID> { try await refuse() }
    func contents() async throws -> QueueContents { try await refuse() }
    func cancel(_ attempts: [AttemptID]) async throws { try await refuse() }
    func drain(_ worker: WorkerStatus) async throws { try await refuse() }
    func resume(_ worker: WorkerStatus) async throws { try await refuse() }
    func workers() async throws -> [WorkerStatus] { try await refuse() }
}
