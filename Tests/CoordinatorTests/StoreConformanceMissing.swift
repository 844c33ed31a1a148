import FarmAPI
import Coordinator
import ExportPlan
import JobQueue
import Testing
import FoundationEssentials

@Suite("Every store: artifacts or storage that are gone")
struct StoreConformanceMissing {
    @Test(
        "Artifacts that a job misses are made again together, and no attempt is used up", arguments: StoreKind.allCases)
    func missingTogether(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let film = SampleFilm(pictures: ["sea", "hills", "rain"])
            let id = try await farm.rendering(film)
            for _ in 0..<8 {
                while try await farm.job(id, .stitch).state != .ready {
                    for ticket in try await farm.dispatchAll() where ticket.kind != .stitch { try await farm.finish(ticket) }
                }
                let stitch = try await farm.dispatch(id, .stitch)
                let gone = film.pictures.map(ArtifactKey.named) + [film.soundtrackKey]
                try await farm.fail(stitch, .transient, missing: gone)
                #expect(try await farm.jobs(id, .video).allSatisfy { $0.state == .ready })
                #expect(try await farm.job(id, .soundtrack).state == .ready)
                #expect(try await farm.job(id, .stitch).state == .waiting)
            }
            try await farm.work()
            #expect(try await farm.state(id) == .completed)
        }
    }

    @Test("A store that loses everything written to it ends the export and does not keep the farm busy forever")
    func lostForEver() async throws {
        try await onStore(.memory) { farm in
            let id = try await farm.rendering(SampleFilm(pictures: ["sea"], sounds: []))
            var dispatches = 0
            while try await farm.state(id) == .rendering, dispatches < 1000 {
                for ticket in try await farm.dispatchAll(at: farm.now + 3600) {
                    if ticket.kind == .stitch {
                        try await farm.fail(ticket, .transient, missing: [.named("sea")])
                    } else {
                        try await farm.finish(ticket)
                    }
                }
                dispatches += 1
            }
            let failure = try #require(try await farm.export(id).failure)
            #expect(failure.failureClass == .storage && failure.message.contains("loses what is written"))
        }
    }

    @Test("A film that was forgotten is made again for the next export", arguments: StoreKind.allCases)
    func forgotten(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let film = SampleFilm()
            _ = try await farm.rendering(film)
            try await farm.work()
            try await farm.store.forget([film.filmKey], tenant: farm.tenant)
            let id = try await farm.rendering(film)
            #expect(try await farm.job(id, .stitch).state == .ready)
            #expect(try await farm.jobs(id, .video).allSatisfy(\.reused))
            try await farm.finish(try await farm.dispatch(id, .stitch))
            #expect(try await farm.state(id) == .completed)
        }
    }

    @Test(
        "Storage that is away for an hour uses up no attempt, and storage that stays away ends the export",
        arguments: StoreKind.allCases)
    func storageAway(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm(pictures: ["sea"], sounds: []))
            for _ in 0..<60 { try await farm.fail(try await farm.dispatch(id, .video), .storage) }
            #expect(try await farm.state(id) == .rendering)
            try await farm.work()
            #expect(try await farm.state(id) == .completed)

            let other = try await farm.rendering(SampleFilm(pictures: ["hills"], sounds: []))
            var tries = 0
            while try await farm.state(other) == .rendering, tries < 1000 {
                try await farm.fail(try await farm.dispatch(other, .video), .storage)
                tries += 1
            }
            #expect(try await farm.export(other).failure?.failureClass == .storage)
        }
    }

    @Test(
        "The facts of an asset whose file has changed are forgotten when an export notices",
        arguments: StoreKind.allCases)
    func changedSource(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let hash = SourceFacts.sample("sea").contentHash
            let location = AssetLocation.location(of: hash)
            try await farm.store.putAsset(
                Asset(hash: hash, byteCount: 1000, name: "sea.mp4", createdAt: farm.now), tenant: farm.tenant)
            let first = try await farm.probing([location])
            try await farm.finish(try await farm.dispatch(first, .probe), facts: .sample("sea"))
            let known = try await farm.submit().id
            #expect(try await farm.store.startProbing(known, jobs: [(location, .probe(location))]))

            let film = SampleFilm()
            try await farm.store.startRendering(
                known, PlannedExport(jobs: film.jobs, filmKey: film.filmKey, frameCount: film.frameCount))
            var failure = JobFailure(.input, subject: location, message: "changed while it was rendered")
            failure.changedSource = location
            try await farm.report(try await farm.dispatch(known, .video), .failed(failure: failure))
            #expect(try await farm.export(known).failure?.message.contains("changed while it was rendered") == true)
            let next = try await farm.submit().id
            #expect(try await !farm.store.startProbing(next, jobs: [(location, .probe(location))]), "probed again")
        }
    }

    @Test(
        "A damaged asset is forgotten, so that it can be uploaded again", arguments: StoreKind.allCases)
    func damagedAsset(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let hash = SourceFacts.sample("sea").contentHash
            let other = SourceFacts.sample("hills").contentHash
            for hash in [hash, other] {
                try await farm.store.putAsset(
                    Asset(hash: hash, byteCount: 1000, name: "sea.mp4", createdAt: farm.now), tenant: farm.tenant)
            }
            let export = try await farm.probing([AssetLocation.location(of: hash)])
            var failure = JobFailure(.input, subject: AssetLocation.location(of: hash), message: "is damaged")
            failure.damagedAsset = hash
            try await farm.report(try await farm.dispatch(export, .probe), .failed(failure: failure))
            #expect(try await farm.store.asset(hash, tenant: farm.tenant) == nil)
            #expect(try await farm.store.asset(other, tenant: farm.tenant) != nil)
        }
    }

    @Test("The shortest pauses for storage that is away add up to more than an hour")
    func storageBackoff() {
        var (seconds, count) = (0.0, 1)
        while let delay = RetryPolicy.delay(afterFailure: count, .storage, jitter: 0), count < 10_000 {
            #expect(delay <= 60)
            seconds += delay
            count += 1
        }
        #expect(seconds > 3600 && seconds < 2 * 3600)
    }
}
