import FarmAPI
import Coordinator
import ExportPlan
import Scheduling
import JobQueue
import Testing

@Suite("Every store: exports that share segments")
struct StoreConformanceSharing {
    @Test("Two exports that share a segment render it once", arguments: StoreKind.allCases)
    func once(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let first = try await farm.rendering(SampleFilm(pictures: ["sea", "hills"], sounds: []))
            let second = try await farm.rendering(SampleFilm(pictures: ["rain", "sea"], sounds: []))
            let tickets = try await farm.work()
            #expect(Set(tickets.map(\.key)).count == tickets.count, "nothing is made twice")
            for id in [first, second] { #expect(try await farm.state(id) == .completed) }
            let reused = try await farm.export(first).progress.jobsReused + farm.export(second).progress.jobsReused
            #expect(reused == 2, "the sea and the silent soundtrack")
        }
    }

    @Test("Two exports of the same film end together", arguments: StoreKind.allCases)
    func sameFilm(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let (first, second) = (try await farm.rendering(SampleFilm()), try await farm.rendering(SampleFilm()))
            #expect(try await farm.work().count == 5)
            for id in [first, second] {
                #expect(try await farm.state(id) == .completed)
                #expect(try await farm.eventKinds(id).last == .completed)
                #expect(try await farm.export(id).progress.framesDone == 60)
            }
            #expect(try await farm.export(second).progress.jobsReused + farm.export(first).progress.jobsReused == 5)
        }
    }

    @Test("When one of two sharing exports is cancelled, the other renders the segment", arguments: StoreKind.allCases)
    func cancelled(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let first = try await farm.rendering(SampleFilm(pictures: ["sea"]))
            let second = try await farm.rendering(SampleFilm(pictures: ["sea"]))
            let ticket = try await farm.dispatch(first, .video)
            #expect(try await farm.store.cancel(first) == [ticket.identity])
            #expect(try await farm.candidates().map(\.export) == [second])
            try await farm.work()
            #expect(try await farm.state(second) == .completed)
            #expect(try await farm.state(first) == .cancelled)
        }
    }

    @Test("A success that comes after a cancel serves the other export all the same", arguments: StoreKind.allCases)
    func successAfterCancel(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let first = try await farm.rendering(SampleFilm(pictures: ["sea"]))
            let second = try await farm.rendering(SampleFilm(pictures: ["sea"]))
            let ticket = try await farm.dispatch(first, .video)
            _ = try await farm.store.cancel(first)
            #expect(try await farm.finish(ticket).hasNews)
            #expect(try await farm.job(second, .video).state == .done)
            #expect(try await farm.job(second, .video).reused)
            #expect(try await farm.job(first, .video).state == .cancelled)
            #expect(try await farm.attempts(ticket.job).map(\.state) == [.cancelled])
            let third = try await farm.rendering(SampleFilm(pictures: ["sea", "hills"]))
            #expect(try await farm.job(third, .video, 0).reused, "the artifact is known")
        }
    }

    @Test("A probe that ends after its export's cancel serves the other export", arguments: StoreKind.allCases)
    func probeAfterCancel(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let (first, second) = (try await farm.probing(["sea.mp4"]), try await farm.probing(["sea.mp4"]))
            let ticket = try await farm.dispatch(first, .probe)
            _ = try await farm.store.cancel(first)
            #expect(try await farm.finish(ticket, facts: .sample("sea")).hasNews)
            #expect(try await farm.isToCompile(second))
            #expect(try await farm.store.probeResults(of: second) == ["sea.mp4": .facts(.sample("sea"))])
        }
    }

    @Test("When one of two sharing exports fails, the other renders the segment", arguments: StoreKind.allCases)
    func failed(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let first = try await farm.rendering(SampleFilm(pictures: ["sea"]))
            let second = try await farm.rendering(SampleFilm(pictures: ["sea"]))
            try await farm.fail(try await farm.dispatch(first, .video), .input)
            #expect(try await farm.state(first) == .failed)
            #expect(try await farm.state(second) == .rendering)
            #expect(try await farm.job(second, .video).state == .ready)
            #expect(try await farm.job(second, .video).attempt == 0)
            try await farm.work()
            #expect(try await farm.state(second) == .completed)
        }
    }

    @Test("A shared segment that makes another export's stitch ready is news", arguments: StoreKind.allCases)
    func unlocksOthers(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let first = try await farm.rendering(SampleFilm(pictures: ["sea", "hills"], sounds: []))
            let second = try await farm.rendering(SampleFilm(pictures: ["sea"], sounds: []))
            try await farm.finish(first, .soundtrack)
            #expect(try await farm.job(second, .soundtrack).state == .done)
            #expect(try await farm.job(second, .stitch).state == .waiting)
            try await farm.finish(first, .video, 0)
            #expect(try await farm.job(second, .stitch).state == .ready)
            #expect(try await farm.job(first, .stitch).state == .waiting)
        }
    }

    @Test("An existing film completes its export although one of its segments is gone", arguments: StoreKind.allCases)
    func filmWithoutSegment(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            _ = try await farm.rendering(SampleFilm(pictures: ["sea"]))
            try await farm.work()
            let other = try await farm.rendering(SampleFilm(pictures: ["sea", "hills"]))
            try await farm.finish(other, .video, 1)
            try await farm.fail(try await farm.dispatch(other, .stitch), .transient, missing: .named("sea"))
            let again = try await farm.rendering(SampleFilm(pictures: ["sea"]))
            try await farm.finish(try await farm.dispatch(again, .stitch), reused: true)
            #expect(try await farm.state(again) == .completed)
            #expect(try await farm.export(again).progress.jobsReused == 4)
            try await farm.work()
        }
    }

    @Test("When another export's stitch makes the film, open jobs are not needed", arguments: StoreKind.allCases)
    func filmBeforeSegments(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let film = SampleFilm(pictures: ["sea", "sea", "hills"], sounds: [])
            let (first, second) = (try await farm.rendering(film), try await farm.rendering(film))
            try await farm.finish(first, .video, 0)
            try await farm.finish(first, .video, 2)
            try await farm.finish(first, .soundtrack)
            // The first stitch seems lost, and the second one finds a segment gone. Then the first one succeeds after
            // all.
            let stitch = try await farm.dispatch(first, .stitch)
            _ = try await farm.store.expireLeases([stitch.identity], at: farm.now, jitter: 0)
            try await farm.fail(try await farm.dispatch(second, .stitch), .transient, missing: .named("sea"))
            let needless = try await farm.dispatch(second, .video, 0)
            #expect(try await farm.jobs(second, .video).map(\.state) == [.dispatched, .ready, .done])

            let effects = try await farm.finish(stitch)
            #expect(effects.toCancel == [needless.identity])
            for id in [first, second] { #expect(try await farm.state(id) == .completed) }
            #expect(try await farm.jobs(second).allSatisfy { $0.state == .done && $0.reused })
            #expect(try await farm.attempts(needless.job).map(\.state) == [.cancelled])
        }
    }

    @Test("Two tenants that render the same film share nothing", arguments: StoreKind.allCases)
    func tenants(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let other = try await farm.store.createTenant("other", weight: 1).id
            let ours = try await farm.rendering(SampleFilm(pictures: ["sea"]))
            let theirs = try await farm.rendering(SampleFilm(pictures: ["sea"]), tenant: other)
            let (one, two) = (try await farm.dispatch(ours, .video), try await farm.dispatch(theirs, .video))
            #expect(one.key == two.key && one.tenant != two.tenant)
            try await farm.finish(one)
            #expect(try await farm.job(theirs, .video).state == .dispatched)
            try await farm.finish(two)
            #expect(try await !farm.job(theirs, .video).reused)
        }
    }
}
