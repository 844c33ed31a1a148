import Coordinator
import ExportPlan
import FarmAPI
import JobQueue
import Testing
import FoundationEssentials

@Suite("Every store: pictures beside films")
struct StoreConformancePictures {
    private var film: SampleFilm {
        var film = SampleFilm()
        film.hasPoster = true
        return film
    }

    @Test("An export is complete when its film and its pictures are there, in any order", arguments: StoreKind.allCases)
    func complete(kind: StoreKind) async throws {
        for order in [[JobKind.stitch, .picture], [.picture, .stitch]] {
            try await onStore(kind) { farm in
                let id = try await farm.rendering(film)
                #expect(try await farm.export(id).pictures == film.besideFilm)
                #expect(try await farm.jobs(id, .picture).map(\.state) == [.ready, .ready], "pictures wait for nothing")
                for part in [(JobKind.video, 0), (.video, 1), (.audio, 0), (.soundtrack, 0)] {
                    try await farm.finish(id, part.0, part.1)
                }
                for result in order {
                    #expect(try await farm.state(id) == .rendering)
                    try await farm.finish(id, result)
                    if result == .picture { try await farm.finish(id, .picture, 1) }
                }
                #expect(try await farm.state(id) == .completed)
                #expect(try await farm.eventKinds(id).filter { $0 == .completed }.count == 1)
            }
        }
    }

    @Test("Reports of a film and its pictures that come together complete the export once", arguments: StoreKind.allCases)
    func together(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(film)
            for part in [(JobKind.video, 0), (.video, 1), (.audio, 0), (.soundtrack, 0)] {
                try await farm.finish(id, part.0, part.1)
            }
            let tickets = [
                try await farm.dispatch(id, .picture, 1), try await farm.dispatch(id, .stitch, 0),
                try await farm.dispatch(id, .picture, 0),
            ]
            let reports = tickets.map { JobReport($0.identity, worker: "w1", .finished(result: JobResult(), reused: false)) }
            _ = try await farm.store.apply(reports, at: farm.now, jitter: 0)
            #expect(try await farm.state(id) == .completed)
            #expect(try await farm.eventKinds(id).filter { $0 == .completed }.count == 1)
        }
    }

    @Test("An export of a picture alone is complete with it, and needs no job where it exists", arguments: StoreKind.allCases)
    func alone(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let job = try #require(film.jobs.first { $0.kind == .picture })
            let plan = PlannedExport(jobs: [job], filmKey: job.key, frameCount: 1)
            let id = try await farm.probing([])
            try await farm.store.startRendering(id, plan)
            #expect(try await farm.state(id) == .rendering)
            try await farm.finish(id, .picture)
            #expect(try await farm.state(id) == .completed)
            #expect(try await farm.export(id).filmKey == job.key)
            let again = try await farm.probing([])
            try await farm.store.startRendering(again, plan)
            #expect(try await farm.state(again) == .completed, "the picture exists")
            #expect(try await farm.jobs(again).map(\.reused) == [true])
        }
    }

    @Test("Pictures are made for a film that exists, and need not be made a second time", arguments: StoreKind.allCases)
    func reused(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let plain = try await farm.rendering(SampleFilm())
            try await farm.work()
            #expect(try await farm.export(plain).pictures == nil)
            let id = try await farm.rendering(film)
            #expect(try await farm.jobs(id, .picture).map(\.state) == [.ready, .ready])
            try await farm.finish(id, .stitch)
            #expect(try await farm.state(id) == .rendering, "the film was there before its pictures")
            try await farm.work()
            #expect(try await farm.state(id) == .completed)
            let again = try await farm.rendering(film)
            #expect(try await farm.jobs(again, .picture).map(\.reused) == [true, true])
            try await farm.finish(again, .stitch)
            #expect(try await farm.state(again) == .completed)
        }
    }

    @Test("A picture that cannot be made fails the export", arguments: StoreKind.allCases)
    func failed(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(film)
            try await farm.fail(try await farm.dispatch(id, .picture, 0), .input, missing: [])
            #expect(try await farm.state(id) == .failed)
            #expect(try await farm.jobs(id, .stitch).map(\.state) == [.cancelled])
        }
    }

    @Test("A film that is to be sent takes its pictures with it", arguments: StoreKind.allCases)
    func sent(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let request = ExportRequest(.document("{}"), label: "film", settings: ["destination": "archive"])
            let id = try await farm.store.submit(request, id: ExportID(), tenant: farm.tenant, idempotency: nil).export.id
            try await farm.store.startProbing(id, jobs: [])
            try await farm.store.startRendering(id, film.plan)
            try await farm.work()
            let due = try await farm.store.duePublications(at: farm.now, underWay: [], limit: 10)
            #expect(due.map(\.export) == [id] && due.map(\.pictures) == [film.besideFilm])
        }
    }
}
