import FarmAPI
import Coordinator
import ExportPlan
import JobQueue
import Testing

@Suite("Every store: from plan to film")
struct StoreConformanceRendering {
    @Test("A plan becomes jobs: segments are ready, and jobs that need them wait", arguments: StoreKind.allCases)
    func start(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let film = SampleFilm()
            let id = try await farm.rendering(film)
            let export = try await farm.export(id)
            #expect(export.state == .rendering && export.filmKey == film.filmKey && export.frameCount == film.frameCount)
            #expect(export.progress.jobs == 5 && export.progress.jobsDone == 0 && export.progress.framesDone == 0)
            let states = try await farm.jobs(id).reduce(into: [:]) { $0["\($1.kind) \($1.ordinal)"] = $1.state }
            #expect(
                states == [
                    "video 0": .ready, "video 1": .ready, "audio 0": .ready, "soundtrack 0": .waiting, "stitch 0": .waiting,
                ])
            let job = try await farm.job(id, .video, 1)
            #expect(job.key == .named("hills") && job.frameCount == 30 && job.attempt == 0 && job.pool == "default")
            #expect(job.export == id && job.tenant == farm.tenant && !job.reused)
            #expect(try await farm.eventKinds(id) == [.submitted, .probing, .rendering])
        }
    }

    @Test("Rendering begins once, and only after probing", arguments: StoreKind.allCases)
    func once(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let film = SampleFilm()
            let submitted = try await farm.submit().id
            let rendering = try await farm.rendering(film)
            let over = try await farm.probing([])
            _ = try await farm.store.cancel(over)
            for id in [submitted, rendering, over] {
                let before = try await farm.export(id)
                try await farm.store.startRendering(id, PlannedExport(jobs: film.jobs, filmKey: film.filmKey, frameCount: 99))
                #expect(try await farm.export(id) == before)
            }
        }
    }

    @Test("The soundtrack waits for every sound, the stitch for everything", arguments: StoreKind.allCases)
    func unlocking(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm(sounds: ["waves", "wind"]))
            func state(_ kind: JobKind) async throws -> JobState { try await farm.job(id, kind).state }
            try await farm.finish(id, .audio, 0)
            #expect(try await state(.soundtrack) == .waiting)
            #expect(try await farm.finish(id, .audio, 1).hasNews)
            #expect(try await state(.soundtrack) == .ready)
            try await farm.finish(id, .video, 1)
            try await farm.finish(id, .soundtrack)
            #expect(try await state(.stitch) == .waiting)
            try await farm.finish(id, .video, 0)
            #expect(try await state(.stitch) == .ready)
            #expect(try await farm.state(id) == .rendering)
            try await farm.finish(id, .stitch)
            #expect(try await farm.state(id) == .completed)
            #expect(try await farm.export(id).finishedAt != nil)
            #expect(try await farm.eventKinds(id) == [.submitted, .probing, .rendering, .completed])
        }
    }

    @Test(
        "Bits are allocated when all is measured and the sound is encoded, and pictures wait for that",
        arguments: StoreKind.allCases)
    func bitrate(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            var film = SampleFilm()
            film.hasBitrate = true
            let id = try await farm.rendering(film)
            func state(_ kind: JobKind, _ ordinal: Int = 0) async throws -> JobState {
                try await farm.job(id, kind, ordinal).state
            }
            func states() async throws -> [JobState] {
                [try await state(.measure, 1), try await state(.allocation), try await state(.video), try await state(.video, 1)]
            }
            #expect(try await states() == [.ready, .waiting, .waiting, .waiting])
            try await farm.finish(id, .measure, 1)
            #expect(try await states() == [.done, .waiting, .waiting, .waiting])
            try await farm.finish(id, .measure, 0)
            #expect(try await states() == [.done, .waiting, .waiting, .waiting])
            for place in film.sounds.indices { try await farm.finish(id, .audio, place) }
            #expect(try await states() == [.done, .waiting, .waiting, .waiting])
            try await farm.finish(id, .soundtrack)
            #expect(try await states() == [.done, .ready, .waiting, .waiting])
            try await farm.finish(id, .allocation)
            #expect(try await states() == [.done, .done, .ready, .ready])
            try await farm.work()
            #expect(try await farm.state(id) == .completed)

            // For a longer film the measurements hold, and only the bits are allocated again.
            var longer = SampleFilm(pictures: ["sea", "rain", "hills"])
            longer.hasBitrate = true
            let other = try await farm.rendering(longer)
            #expect(try await farm.jobs(other, .measure).map(\.state) == [.done, .ready, .done])
            #expect(try await farm.job(other, .allocation).state == .waiting)
            try await farm.work()
            #expect(try await farm.state(other) == .completed)

            // For a film whose pictures exist, nothing is measured.
            var again = SampleFilm(pictures: ["hills", "sea"])
            again.hasBitrate = true
            let third = try await farm.rendering(again)
            #expect(try await farm.job(third, .allocation).reused)
            try await farm.work()
            #expect(try await farm.state(third) == .completed)
        }
    }

    @Test("A missing measurement is made again before the picture", arguments: StoreKind.allCases)
    func lostMeasure(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            var film = SampleFilm()
            film.hasBitrate = true
            let id = try await farm.rendering(film)
            for place in 0..<2 { try await farm.finish(id, .measure, place) }
            for place in film.sounds.indices { try await farm.finish(id, .audio, place) }
            try await farm.finish(id, .soundtrack)
            try await farm.finish(id, .allocation)
            let ticket = try await farm.dispatch(id, .video)
            try await farm.fail(ticket, .transient, missing: .named("measured sea"))
            #expect(try await farm.job(id, .measure, 0).state == .ready)
            #expect(try await farm.job(id, .video).state == .waiting)
            try await farm.work()
            #expect(try await farm.state(id) == .completed)
        }
    }

    @Test("A film without sounds has its soundtrack ready at once", arguments: StoreKind.allCases)
    func silent(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm(sounds: []))
            #expect(try await farm.job(id, .soundtrack).state == .ready)
            #expect(try await farm.job(id, .stitch).state == .waiting)
            try await farm.work()
            #expect(try await farm.state(id) == .completed)
        }
    }

    @Test("A segment that the tenant has rendered before is not rendered again", arguments: StoreKind.allCases)
    func reuse(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            _ = try await farm.rendering(SampleFilm(pictures: ["sea", "hills"]))
            try await farm.work()
            let id = try await farm.rendering(SampleFilm(pictures: ["sea", "rain", "hills"]))
            #expect(try await farm.jobs(id, .video).map(\.state) == [.done, .ready, .done])
            #expect(try await farm.jobs(id, .video).map(\.reused) == [true, false, true])
            #expect(try await farm.job(id, .audio).reused)
            #expect(try await farm.job(id, .soundtrack).reused, "same sounds, same soundtrack")
            let progress = try await farm.export(id).progress
            #expect(progress.jobs == 6 && progress.jobsDone == 4 && progress.jobsReused == 4 && progress.framesDone == 60)
            #expect(
                try await farm.work().map(\.key) == [.named("rain"), SampleFilm(pictures: ["sea", "rain", "hills"]).filmKey])
            #expect(try await farm.state(id) == .completed)
        }
    }

    @Test("Tenants do not reuse each other's segments, which would reveal them", arguments: StoreKind.allCases)
    func noReuseAcrossTenants(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            _ = try await farm.rendering(SampleFilm())
            try await farm.work()
            let other = try await farm.store.createTenant("other", weight: 1).id
            let id = try await farm.rendering(SampleFilm(), tenant: other)
            #expect(try await farm.jobs(id).allSatisfy { $0.state != .done })
            #expect(try await farm.work().count == 5)
            #expect(try await farm.export(id).progress.jobsReused == 0)
        }
    }

    @Test("An existing film completes its export once a worker found it in the store", arguments: StoreKind.allCases)
    func sameFilm(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            _ = try await farm.rendering(SampleFilm())
            try await farm.work()
            let id = try await farm.rendering(SampleFilm())
            #expect(try await farm.state(id) == .rendering, "the database does not know what became of the file")
            let tickets = try await farm.dispatchAll()
            #expect(tickets.map(\.kind) == [.stitch])
            for ticket in tickets { try await farm.finish(ticket, reused: true) }
            let export = try await farm.export(id)
            #expect(export.state == .completed && export.finishedAt != nil)
            #expect(export.progress.jobs == 5 && export.progress.jobsReused == 5 && export.progress.framesDone == 60)
            #expect(try await farm.eventKinds(id).last == .completed)
            #expect(try await farm.dispatchAll().isEmpty)
        }
    }

    @Test("A segment that a film shows twice is rendered once", arguments: StoreKind.allCases)
    func twiceInOneFilm(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm(pictures: ["sea", "hills", "sea"]))
            let tickets = try await farm.work()
            #expect(tickets.count { $0.key == .named("sea") } == 1)
            #expect(try await farm.state(id) == .completed)
            let progress = try await farm.export(id).progress
            #expect(progress.jobsDone == 6 && progress.jobsReused == 1 && progress.framesDone == 90)
        }
    }

    @Test("A small export goes from accepted to completed", arguments: StoreKind.allCases)
    func whole(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let film = SampleFilm(pictures: ["sea", "hills", "rain"], sounds: ["waves", "wind"])
            let id = try await farm.submit("holiday.json").id
            #expect(try await farm.store.exportsToCompile(limit: 1).map(\.state) == [.submitted])
            try await farm.store.startProbing(id, jobs: [("holiday", .probe("holiday")), ("song", .probe("song", ordinal: 1))])
            #expect(try await farm.work().map(\.kind) == [.probe, .probe])
            #expect(try await farm.store.exportsToCompile(limit: 1).map(\.state) == [.probing])
            #expect(Set(try await farm.store.probeResults(of: id).keys) == ["holiday", "song"])
            try await farm.store.startRendering(
                id, PlannedExport(jobs: film.jobs, filmKey: film.filmKey, frameCount: film.frameCount))

            let tickets = try await farm.work()
            #expect(tickets.count == film.jobs.count && tickets.last?.key == film.filmKey)
            let export = try await farm.export(id)
            #expect(export.state == .completed && export.filmKey == film.filmKey && export.frameCount == 90)
            #expect(export.progress.jobsDone == 7 && export.progress.jobsReused == 0 && export.progress.framesDone == 90)
            #expect(try await farm.eventKinds(id) == [.submitted, .probing, .rendering, .completed])
            #expect(try await farm.store.exportsToCompile(limit: 1).isEmpty)
            #expect(try await farm.store.inFlight().isEmpty)
            for job in try await farm.jobs(id) {
                #expect(job.state == .done && job.attempt == 1 && job.worker == "w1" && job.startedAt != nil)
            }
        }
    }
}
