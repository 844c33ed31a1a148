import Coordinator
import ExportPlan
import FarmAPI
import HTTPAPI
import HTTPTypes
import JobQueue
import TestServer
import Testing
import FoundationEssentials

extension Farm {
    static func worker(running: [WorkerStatus.Running] = []) -> WorkerStatus {
        WorkerStatus(
            id: "w1", host: "h", version: "1", roles: [.video], pools: ["default"], slots: 4, startedAt: Date(), seenAt: Date(),
            isDraining: false, running: running)
    }
}

@Suite("The farm's own listings")
struct FarmListingTests {
    @Test("The listing shows how many jobs each queue has, and queues are paused and resumed")
    func queues() async throws {
        let farm = try await Farm()
        let export = try await farm.submit()
        try await farm.plan(export)
        func video() async throws -> QueueStatus {
            let listing = try await farm.send(.get, "/v1/queues").json(Listing<QueueStatus>.self)
            return try #require(listing.items.first { $0.role == .video })
        }
        #expect(try await video().ready == 1)
        #expect(try await video().oldestReadySince != nil)
        let paused = try await farm.send(.post, "/v1/queues/video/pause", as: "admin")
        #expect(try paused.json(QueuePause.self) == QueuePause(role: .video, isPaused: true))
        #expect(try await video().isPaused)
        let before = farm.wakeCount
        #expect(try await farm.send(.post, "/v1/queues/video/resume", as: "admin").status == .ok)
        #expect(try await !video().isPaused)
        #expect(farm.wakeCount == before + 1)
        #expect(try await farm.send(.post, "/v1/queues/cleaning/pause", as: "admin").status == .notFound)
    }

    @Test("The listing tells the operator which pools have jobs and no workers, and tells a tenant no names of pools")
    func poolsWithoutWorkers() async throws {
        let farm = try await Farm()
        try await farm.plan(try await farm.submit())
        func video(as name: String) async throws -> QueueStatus {
            let listing = try await farm.send(.get, "/v1/queues", as: name).json(Listing<QueueStatus>.self)
            return try #require(listing.items.first { $0.role == .video })
        }
        #expect(try await video(as: "admin").poolsWithoutWorkers == ["default"])
        let seen = try await video(as: "read")
        #expect(seen.ready == 1 && seen.pools == [] && seen.poolsWithoutWorkers == [])
        var worker = WorkerStatus(
            id: "w1", host: "h", version: "1", roles: [.video], pools: ["default"], slots: 1, startedAt: Date(), seenAt: Date(),
            isDraining: false, running: [])
        _ = try await farm.queue.heartbeat(worker, lifetime: .seconds(60))
        #expect(try await video(as: "admin").pools == ["default"])
        #expect(try await video(as: "admin").poolsWithoutWorkers == [])
        worker.isDraining = true
        _ = try await farm.queue.heartbeat(worker, lifetime: .seconds(60))
        #expect(try await video(as: "admin").poolsWithoutWorkers == ["default"])
    }

    @Test("A worker's jobs are shown with frame and rate: to a tenant its own, to the operator all")
    func workers() async throws {
        let farm = try await Farm()
        let export = try await farm.submit()
        try await farm.plan(export)
        let ticket = try await farm.take(export)
        let running = WorkerStatus.Running(
            job: ticket.job, attempt: 1, kind: .video, done: 15, total: 30, startedAt: Date(timeIntervalSinceNow: -5))
        _ = try await farm.queue.heartbeat(Farm.worker(running: [running]), lifetime: .seconds(60))
        for token in ["both", "admin"] {
            let listing = try await farm.send(.get, "/v1/workers", as: token).json(Listing<WorkerReport>.self)
            let worker = try #require(listing.items.first)
            let shown = try #require(worker.running.first)
            #expect(shown.export == export.id)
            #expect(shown.done == 15)
            #expect(shown.total == 30)
            #expect(shown.rate > 0 && shown.rate <= 3)
        }
        let other = try await farm.send(.get, "/v1/workers/w1", as: "other").json(WorkerReport.self)
        #expect(other.running.isEmpty)
        #expect(other.busy == 1)
        #expect(try await farm.send(.get, "/v1/workers/w2").status == .notFound)
    }

    @Test("While the queue is away, routes and pages say so soon, and show the rest", arguments: [true, false])
    func away(hangs: Bool) async throws {
        var options = Farm.quickOptions
        options.queueTimeout = .milliseconds(50)
        let farm = try await Farm(options: options, asking: AwayQueue(hangs: hangs))
        let said = hangs ? "the queue does not answer in time; try again later" : "the queue does not answer; try again later"
        for path in ["/v1/workers", "/v1/workers/w1"] {
            let answer = try await farm.send(.get, path, as: "admin")
            #expect(answer.status == .serviceUnavailable && answer.text.contains(said), "\(answer.text)")
        }
        #expect(try await farm.send(.post, "/v1/workers/w1/drain", as: "admin").status == .serviceUnavailable)
        #expect(try await farm.send(.get, "/v1/queues", as: "admin").status == .ok)
        let browser = try await DashboardBrowser(farm, as: "admin")
        let page = try await browser.get("/ui/workers")
        #expect(page.status == .serviceUnavailable && page.text.contains("ueue does not answer"), "\(page.text)")
        #expect(try await browser.get("/").status == .ok)
    }

    @Test("Names and values of a query are decoded once")
    func queries() async throws {
        let farm = try await Farm()
        let labels = [("100%25", "100%2525"), ("%_\\", "%25_%5C"), ("a+b", "a%2Bb"), ("c d", "c%20d")]
        for (label, written) in labels {
            let stored = label.replacing("\\", with: "\\\\")
            _ = try await farm.send(.post, "/v1/exports", body: #"{"document":\#(Farm.draft),"label":"\#(stored)"}"#)
            let listed = try await farm.send(.get, "/v1/exports?%6Cabel=\(written)").json(Listing<Export>.self)
            #expect(listed.items.map(\.label) == [label])
            let browser = try await DashboardBrowser(farm, as: "both")
            #expect(try await browser.get("/ui/exports?label=\(written)").text.contains("/ui/exports/\(listed.items[0].id.text)"))
        }
        #expect(try await farm.send(.get, "/v1/exports?label=a%20b").json(Listing<Export>.self).items.isEmpty)
        for malformed in ["%", "%2", "%zz", "%FF", "%00", "%+A", "%-1"] {
            let answer = try await farm.send(.get, "/v1/exports?label=\(malformed)")
            #expect(answer.status == .badRequest && answer.text.contains("label"), "\(answer.text)")
        }
    }

    @Test("The operator asks a worker to drain")
    func drain() async throws {
        let farm = try await Farm()
        #expect(try await farm.send(.post, "/v1/workers/w1/drain", as: "admin").status == .notFound)
        let status = Farm.worker()
        _ = try await farm.queue.heartbeat(status, lifetime: .seconds(60))
        #expect(try await farm.send(.post, "/v1/workers/w1/drain", as: "both").status == .forbidden)
        #expect(try await !farm.queue.heartbeat(status, lifetime: .seconds(60)).isToDrain)
        let answer = try await farm.send(.post, "/v1/workers/w1/drain", as: "admin")
        #expect(try answer.status == .accepted && answer.json(WorkerReport.self).id == "w1")
        #expect(try await farm.queue.heartbeat(status, lifetime: .seconds(60)).isToDrain)
    }

    @Test("The operator takes back that a worker drains, until it is too late")
    func resume() async throws {
        let farm = try await Farm()
        #expect(try await farm.send(.post, "/v1/workers/w1/resume", as: "admin").status == .notFound)
        var status = Farm.worker()
        _ = try await farm.queue.heartbeat(status, lifetime: .seconds(60))
        #expect(try await farm.send(.post, "/v1/workers/w1/drain", as: "admin").status == .accepted)
        #expect(try await farm.send(.post, "/v1/workers/w1/resume", as: "both").status == .forbidden)
        #expect(try await farm.send(.post, "/v1/workers/w1/resume", as: "admin").status == .accepted)
        let answer = try await farm.queue.heartbeat(status, lifetime: .seconds(60))
        #expect(!answer.isToDrain && answer.isToResume)
        for (canResume, wanted) in [(true, HTTPResponse.Status.accepted), (false, .conflict), (nil, .conflict)] {
            status.isDraining = true
            status.canResume = canResume
            _ = try await farm.queue.heartbeat(status, lifetime: .seconds(60))
            let answer = try await farm.send(.post, "/v1/workers/w1/resume", as: "admin")
            #expect(answer.status == wanted)
            if wanted == .conflict {
                #expect(answer.fault?.detail.hasPrefix("it is too late for worker 'w1' to take jobs again") == true)
            }
        }
    }

    @Test("The jobs that are sent next are shown: to a tenant its own, to the operator all")
    func nextJobs() async throws {
        let farm = try await Farm()
        let export = try await farm.submit()
        try await farm.plan(export)
        func next(_ query: String = "", as token: String = "both") async throws -> [QueuedJob] {
            try await farm.send(.get, "/v1/queues/next\(query)", as: token).json(Listing<QueuedJob>.self).items
        }
        let jobs = try await next()
        #expect(!jobs.isEmpty && jobs.allSatisfy { $0.export == export.id && $0.tenantName == "one" })
        #expect(try await next(as: "admin") == jobs)
        #expect(try await next(as: "other").isEmpty)
        #expect(try await next("?role=video&limit=1").count == 1)
        #expect(try await next("?pool=gpu").isEmpty)
        for query in ["?limit=0", "?limit=101", "?role=none", "?cursor=MQ", "?pool=%00"] {
            #expect(try await farm.send(.get, "/v1/queues/next\(query)").status == .badRequest, "\(query)")
        }
        #expect(try await farm.send(.get, "/v1/queues/next", as: "submit").status == .forbidden)
    }

    @Test("A worker is shown with its machine, and a job with its predicted time")
    func predictions() async throws {
        let farm = try await Farm()
        let export = try await farm.submit()
        try await farm.plan(export)
        var status = Farm.worker()
        status.machine = "AMD EPYC 7B12, 8 processors"
        _ = try await farm.queue.heartbeat(status, lifetime: .seconds(60))
        #expect(try await farm.send(.get, "/v1/workers/w1").json(WorkerReport.self).machine == status.machine)
        let jobs = try await farm.send(.get, "/v1/jobs?export=\(export.id)").json(Listing<Job>.self).items
        #expect(jobs.count == 2 && jobs.allSatisfy { $0.predicted == 1 })
    }

    @Test("What was learned of the times that jobs take is listed for the operator alone")
    func costModels() async throws {
        let farm = try await Farm()
        #expect(try await farm.send(.get, "/v1/cost-models", as: "admin").json(Listing<CostModelReport>.self).items.isEmpty)
        let time = Date(timeIntervalSince1970: 1_700_000_000)
        let costClass = try #require(CostClass(name: "measure hevc"))
        var fit = CostFit(size: costClass.kind.features.count)
        for _ in 0..<20 { fit.learn(shares: [0.5, 0.5, 0, 0, 0, 0], ratio: 3) }
        let model = StoredCostModel(machine: "this machine", costClass: costClass, fit: fit, updatedAt: time)
        try await farm.store.saveCostModels([model], forgetting: [])
        let listing = try await farm.send(.get, "/v1/cost-models", as: "admin").json(Listing<CostModelReport>.self)
        let report = try #require(listing.items.first)
        #expect(listing.items.count == 1 && report.machine == "this machine")
        #expect(report.kind == .measure && report.codec == "hevc" && report.jobs == 20)
        #expect(report.ratio > 2 && report.ratio < 3.01 && report.error > 0 && report.updatedAt == time)
        #expect(Set(report.seconds.keys) == Set(costClass.kind.features.map(\.rawValue)))
        #expect(report.seconds.values.allSatisfy { $0 > 0 })
        #expect(try await farm.send(.get, "/v1/cost-models").status == .forbidden)
    }

    @Test("The audit is for the operator alone, and says what it checked and what it found")
    func audit() async throws {
        let farm = try await Farm()
        let clean = try await farm.send(.get, "/v1/audit", as: "admin").json(AuditReport.self)
        #expect(clean.rules == AuditRule.ofFarm && clean.faults.isEmpty)
        let fault = AuditFault(.scheduler, subject: "an export", detail: "differs", foundAt: clean.at)
        try await farm.store.noteFaults([fault])
        let report = try await farm.send(.get, "/v1/audit", as: "admin").json(AuditReport.self)
        #expect(report.faults.map(\.detail) == ["differs"])
        #expect(try await farm.send(.get, "/v1/audit").status == .forbidden)
        #expect(try await farm.send(.get, "/v1/audit?deep=1", as: "admin").status == .badRequest)
    }

    @Test("Dead letters are the tenant's own, and can be discarded")
    func deadLetters() async throws {
        let farm = try await Farm()
        #expect(try await farm.send(.get, "/v1/dead-letters").json(Listing<DeadLetter>.self).items.isEmpty)
        #expect(try await farm.send(.delete, "/v1/dead-letters/1").status == .notFound)
        #expect(try await farm.send(.delete, "/v1/dead-letters/x").status == .notFound)
        #expect(try await farm.send(.delete, "/v1/dead-letters/1", as: "read").status == .forbidden)
        #expect(try await farm.send(.get, "/v1/dead-letters?limit=0").status == .badRequest)
        let export = try await farm.submit()
        try await farm.plan(export)
        for _ in 0..<3 { try await farm.fail(try await farm.take(export), .crash) }
        let listed = try await farm.send(.get, "/v1/dead-letters").json(Listing<DeadLetter>.self).items
        #expect(listed.map(\.export) == [export.id] && listed.map(\.attempts) == [3])
        #expect(try await farm.send(.get, "/v1/dead-letters", as: "other").json(Listing<DeadLetter>.self).items.isEmpty)
        let address = "/v1/dead-letters/\(try #require(listed.first).job)"
        #expect(try await farm.send(.delete, address, as: "other").status == .notFound)
        #expect(try await farm.send(.delete, address).status == .noContent)
        #expect(try await farm.send(.get, "/v1/dead-letters").json(Listing<DeadLetter>.self).items.isEmpty)
    }

    @Test("Drafts are shown with their revisions, with exactly the bytes that were stored")
    func drafts() async throws {
        let farm = try await Farm()
        let spaced = Farm.draft + "\n "
        #expect(try await farm.send(.put, "/v1/drafts/a", body: Farm.draft).json(DraftRevision.self).revision == 1)
        #expect(try await farm.send(.put, "/v1/drafts/a", body: Farm.draft).json(DraftRevision.self).revision == 1)
        #expect(try await farm.send(.put, "/v1/drafts/a", body: spaced).json(DraftRevision.self).revision == 2)
        let newest = try await farm.send(.get, "/v1/drafts/a")
        #expect(newest.text == spaced)
        #expect(newest.headers[try #require(HTTPField.Name("Draft-Revision"))] == "2")
        #expect(try await farm.send(.get, "/v1/drafts/a?revision=1").text == Farm.draft)
        #expect(try await farm.send(.get, "/v1/drafts/a?revision=3").status == .notFound)
        let listed = try await farm.send(.get, "/v1/drafts").json(Listing<DraftRevision>.self).items
        #expect(listed.map(\.name) == ["a"])
        #expect(listed.map(\.revision) == [2])
        let faulty = try await farm.send(.put, "/v1/drafts/b", body: #"{"version":1,"mainTrackClips":[{"uri":"a"}]}"#)
        #expect(faulty.status == .unprocessableContent)
        #expect(faulty.fault?.diagnostics?.isEmpty == false)
        #expect(try await farm.send(.put, "/v1/drafts/-b", body: Farm.draft).status == .badRequest)
    }
}
