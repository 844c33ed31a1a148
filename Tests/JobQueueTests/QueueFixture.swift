import FarmAPI
import ContentHashing
import ExactTime
import ExportPlan
import JobQueue
import Testing
import Vocabulary
import FoundationEssentials

/// Runs a test on a new queue that serves the pools `default` and `gpu`.
func onQueue(_ kind: QueueKind, _ test: (QueueFixture) async throws -> Void) async throws {
    let made = try await kind.make()
    #expect(try await made.queue.prepare(pools: QueueFixture.pools), "a queue that nobody has used was lost so far")
    try await test(QueueFixture(queue: made.queue, successor: made.successor, flush: made.flush))
}

/// A prepared queue, and the steps that tests consist of.
struct QueueFixture: Sendable {
    static let pools = ["default", "gpu"]
    /// How long an expected event may take.
    static let timeout = Duration.seconds(60)

    let queue: any WholeQueue
    let successor: @Sendable () throws -> any CoordinatorQueue
    let flush: @Sendable () async throws -> Void

    func ticket(_ job: Int64, _ kind: JobKind = .probe, pool: String = "default", attempt: Int = 1) -> JobTicket {
        Self.ticket(job, kind, pool: pool, attempt: attempt)
    }

    static func ticket(_ job: Int64, _ kind: JobKind = .probe, pool: String = "default", attempt: Int = 1) -> JobTicket {
        JobTicket(
            job: job, attempt: attempt, kind: kind, tenant: 7, pool: pool,
            key: ArtifactKey(ContentHash.of(Data("\(job)".utf8))), frameCount: 30, work: work(job, kind))
    }

    /// The smallest work of the right kind.
    private static func work(_ job: Int64, _ kind: JobKind) -> RenderJob {
        let key = ArtifactKey(ContentHash.of(Data("\(job)".utf8)))
        switch kind {
        case .allocation:
            return .allocation(plan: AllocationPlan(key: key, bits: 1_000_000, measures: [key]))
        case .probe, .measure, .video: return .probe(path: "https://example.org/\(job).mp4")
        case .audio:
            let slice = AudioSlice(sampleRate: 48_000, channels: 2, sampleCount: 48_000, inputs: [])
            return .audio(segment: AudioSegment(key: key, firstSample: 0, slice: slice), sources: [])
        case .soundtrack:
            let encode = AudioEncodeSettings(bitrate: 128_000, sampleRate: 48_000, channels: 2)
            return .soundtrack(plan: SoundtrackPlan(key: key, encode: encode, sampleCount: 48_000), segments: [key])
        case .stitch:
            let container = ContainerSettings(fileType: .mp4, optimizeForNetworkUse: true, metadata: ["title": "a 'film'"])
            let plan = StitchPlan(key: key, frameRate: FrameRate(30), frameCount: 30, container: container)
            let segments = [StitchSegment(key: key, frameCount: 30)]
            return .stitch(plan: plan, segments: segments, soundtrack: key, output: nil)
        case .picture:
            let sheet = ContactSheet(frames: [], frameSize: FrameSize(width: 160, height: 90))
            return .picture(plan: PicturePlan(key: key, sheet: sheet, fileType: .jpeg))
        }
    }

    func send(_ jobs: ClosedRange<Int64>, _ kind: JobKind = .probe, pool: String = "default") async throws {
        try await queue.send(jobs.map { ticket($0, kind, pool: pool) })
    }

    /// Takes the tickets that are there now.
    func take(
        _ roles: [WorkerRole] = [.video], pools: [String] = ["default"], worker: String = "w1", limit: Int = 100,
        wait: Duration = .zero
    ) async throws -> [JobDelivery] {
        try await queue.take(roles: roles, pools: pools, worker: worker, limit: limit, wait: wait)
    }

    /// Takes this many tickets, with as many calls as it needs.
    func take(all count: Int, _ roles: [WorkerRole] = [.video], worker: String = "w1") async throws -> [JobDelivery] {
        var taken: [JobDelivery] = []
        let deadline = ContinuousClock.now + Self.timeout
        while taken.count < count, ContinuousClock.now < deadline {
            taken += try await take(roles, worker: worker, limit: count - taken.count, wait: .milliseconds(100))
        }
        try #require(taken.count == count)
        return taken
    }

    func reports(atLeast count: Int = 1) async throws -> [ReportDelivery] {
        try await eventually { () async throws -> [ReportDelivery]? in
            let reports = try await queue.reports(limit: 100, wait: .milliseconds(100))
            return reports.count >= count ? reports : nil
        }
    }

    func status(_ worker: String, running: [JobTicket] = []) -> WorkerStatus { Self.status(worker, running: running) }

    static func status(_ worker: String, running: [JobTicket]) -> WorkerStatus {
        // Whole seconds, because a queue may write times with fewer digits than memory has.
        let time = Date(timeIntervalSince1970: 1_700_000_000)
        return WorkerStatus(
            id: worker, host: "host of \(worker)", version: "1", roles: [.video, .stitch], pools: Self.pools, slots: 2,
            startedAt: time, seenAt: time, isDraining: false,
            running: running.map {
                WorkerStatus.Running(
                    job: $0.job, attempt: $0.attempt, kind: $0.kind, done: 3, total: 30, startedAt: time)
            })
    }

    /// Calls `look` again and again until it finds something. In between it waits a moment in the queue, for a ticket
    /// that nobody sends.
    func eventually<Found>(_ look: () async throws -> Found?) async throws -> Found {
        let deadline = ContinuousClock.now + Self.timeout
        while true {
            if let found = try await look() { return found }
            try #require(ContinuousClock.now < deadline, "it did not happen in time")
            _ = try await take([.stitch], pools: ["gpu"], worker: "nobody", wait: .milliseconds(2))
        }
    }
}
