import FarmAPI
import ArtifactStore
import Coordinator
import ExportPlan
import Scheduling
import JobQueue
import TestSupport
import Testing
import FoundationEssentials

extension Farm {
    static let filmKey = ArtifactKey(String(repeating: "ab", count: 32))
    static let segmentKey = ArtifactKey(String(repeating: "cd", count: 32))

    /// Plans an export as two jobs, one video segment and the film, and one for each picture beside the film.
    func plan(_ export: Export, pictures: FilmPictures? = nil) async throws {
        try await store.startProbing(export.id, jobs: [])
        let picture = PlannedJob(
            kind: .video, ordinal: 0, key: Farm.segmentKey, work: .probe(path: "/x"), frameCount: 30, weight: 1)
        let film = PlannedJob(
            kind: .stitch, ordinal: 0, key: Farm.filmKey, work: .probe(path: "/x"), frameCount: 30, weight: 1)
        let others = (pictures?.keys ?? []).enumerated().map { place, key in
            PlannedJob(kind: .picture, ordinal: place, key: key, work: .probe(path: "/x"), weight: 1)
        }
        try await store.startRendering(
            export.id,
            PlannedExport(jobs: [picture, film] + others, filmKey: Farm.filmKey, frameCount: 30, pictures: pictures))
    }

    /// Submits and plans one more export of the same film.
    /// - Returns: the state of its video segment: `ready` where it is to be rendered, `done` where it need not be.
    func segmentStateOfNextExport() async throws -> JobState {
        let export = try await submit()
        try await plan(export)
        let jobs = try await store.jobs(JobFilter(export: export.id, limit: 10))
        return try #require(jobs.first { $0.kind == .video }).state
    }

    /// Takes the export's next ready job, as a worker does.
    func take(_ export: Export, kind: JobKind = .video) async throws -> JobTicket {
        let ready = try await store.activeJobs(of: [export.id]).filter { !$0.isInFlight && $0.job.kind.role == kind.role }
        let job = try #require(ready.first).job
        let ticket = try #require(try await store.dispatch([job.id], at: Date()).first)
        _ = try await store.apply(JobReport(ticket.identity, worker: "w1", .started), at: Date(), jitter: 0)
        return ticket
    }

    func finish(_ ticket: JobTicket) async throws {
        let outcome = JobReport.Outcome.finished(result: JobResult(), reused: false)
        _ = try await store.apply(JobReport(ticket.identity, worker: "w1", outcome), at: Date(), jitter: 0)
    }

    func fail(_ ticket: JobTicket, _ failureClass: FailureClass = .input) async throws {
        let failure = JobFailure(failureClass, subject: "/media/clip.mp4", message: "is damaged")
        _ = try await store.apply(JobReport(ticket.identity, worker: "w1", .failed(failure: failure)), at: Date(), jitter: 0)
    }

    /// Stores a film, or a picture, among the tenant's artifacts.
    func putFilm(_ bytes: [UInt8], tenant: Int64, as key: ArtifactKey = Farm.filmKey) throws {
        let films = try DirectoryArtifactStore(directory: directory.path + "/tenants/\(tenant)")
        let file = try films.temporaryFile(for: key)
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        try films.put(file, for: key)
    }

    /// Submits an export and completes it with a film of these bytes.
    /// - Parameter pictures: what it has beside the film; the bytes of each are its key's.
    func completed(_ bytes: [UInt8], pictures: FilmPictures? = nil) async throws -> Export {
        let export = try await submit()
        try await plan(export, pictures: pictures)
        try await finish(try await take(export))
        for key in pictures?.keys ?? [] {
            try await finish(try await take(export))
            try putFilm(Array(key.text.utf8), tenant: export.tenant, as: key)
        }
        try await finish(try await take(export, kind: .stitch))
        try putFilm(bytes, tenant: export.tenant)
        return try #require(try await store.export(export.id, tenant: nil))
    }
}

extension ExportStore {
    /// The exports that the leader can compile, with their sources.
    func exportsToCompile(limit: Int) async throws -> [(source: ExportSource, state: ExportState)] {
        var found: [(source: ExportSource, state: ExportState)] = []
        for export in try await exportsToCompile(ofEachTenant: limit, besides: []).prefix(limit) {
            found.append((try #require(try await source(of: export.id)), export.state))
        }
        return found
    }
}
