import ArtifactStore
import Coordinator
import ExportPlan
import FarmAPI
import JobQueue
import TestSupport
import Testing
import FoundationEssentials
import Glibc

/// What `spool gc` removes from a store and what it never does.
@Suite("Garbage collection", .timeLimit(.minutes(10)))
struct GarbageCollectionTests {
    private static let day = StoreScene.day

    @Test("Unfinished files of processes that are gone are removed, and those of others stay")
    func leftovers() async throws {
        try await onStore(.memory) { farm in
            let scene = try StoreScene(farm)
            let folder = scene.directory.artifacts(ofTenant: farm.tenant) + "/tmp"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let own = ScratchFile.name("film")
            // No process has this number.
            let left = "99999999-" + own.split(separator: "-").dropFirst().joined(separator: "-")
            for name in [own, left, "foreign"] {
                _ = FileManager.default.createFile(atPath: "\(folder)/\(name)", contents: Data([1]))
            }
            _ = try await scene.collect()
            #expect(Set(try FileManager.default.contentsOfDirectory(atPath: folder)) == [own, "foreign"])
        }
    }

    @Test("The pictures beside a film stay for as long as it does", arguments: StoreKind.allCases)
    func pictures(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let scene = try StoreScene(farm)
            var film = SampleFilm()
            film.hasPoster = true
            let keys = Set(film.besideFilm?.keys ?? []).union([film.filmKey])
            let id = try await farm.rendering(film)
            try await farm.work()
            try scene.put(film)
            let report = try await scene.collect()
            #expect(report.artifacts.removed.files == film.jobs.count - 3 && report.artifacts.kept[.film]?.files == 3)
            for job in film.jobs { #expect(scene.has(job.key) == keys.contains(job.key)) }
            try await farm.store.removeFilm(of: id)
            #expect(try await scene.collect().artifacts.removed.files == 3)
            for key in keys { #expect(!scene.has(key)) }
        }
    }

    @Test("Of a completed export the film stays and its parts go", arguments: StoreKind.allCases)
    func completed(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let scene = try StoreScene(farm)
            let film = SampleFilm()
            _ = try await farm.rendering(film)
            try await farm.work()
            try scene.put(film)
            let young = try await scene.collect(after: 3 * Self.day)
            #expect(young.artifacts.removed.files == 0 && young.artifacts.kept[.young]?.files == film.jobs.count - 1)
            let report = try await scene.collect()
            #expect(report.artifacts.removed.files == film.jobs.count - 1)
            #expect(report.artifacts.removed.byteCount > Int64(1000 * (film.jobs.count - 1)))
            #expect(report.artifacts.kept[.film]?.files == 1)
            for job in film.jobs { #expect(scene.has(job.key) == (job.key == film.filmKey)) }
            // An export that shares the parts makes them again; the film is there.
            let next = try await farm.rendering(film)
            #expect(try await farm.jobs(next, .stitch).map(\.state) == [.ready])
            var policy = RetentionPolicy()
            policy.filmsAge = Self.day
            try await farm.work()
            #expect(try await scene.collect(policy).artifacts.removed.files == 1)
            #expect(!scene.has(film.filmKey))
        }
    }

    @Test("Nothing goes that an export needs which is not over, however old it is", arguments: StoreKind.allCases)
    func open(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let scene = try StoreScene(farm)
            let film = SampleFilm()
            let id = try await farm.rendering(film)
            try await farm.finish(id, .video, 0)
            // The second picture's file is there, and its report is not applied yet.
            try scene.put(.named("sea"))
            try scene.put(.named("hills"))
            var policy = RetentionPolicy()
            policy.artifactsBytes = 0
            let report = try await scene.collect(policy, after: 400 * Self.day)
            #expect(report.artifacts.kept == [.openExport: report.artifacts.kept[.openExport] ?? FileCount()])
            #expect(report.artifacts.kept[.openExport]?.files == 2)
            #expect(report.artifacts.removed.files + report.artifacts.removedUnknown.files == 0)
            #expect(scene.has(.named("sea")) && scene.has(.named("hills")))
        }
    }

    @Test("An artifact that an export relies on since it was listed is not removed", arguments: StoreKind.allCases)
    func reused(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let key = ArtifactKey.named("sea")
            _ = try await farm.rendering(SampleFilm())
            try await farm.work()
            let next = try await farm.rendering(SampleFilm(pictures: ["sea", "dunes"]))
            #expect(try await farm.job(next, .video, 0).reused)
            let gone = try await farm.store.removeArtifacts(
                [key], tenant: farm.tenant, usedBefore: farm.now + 1000, FileCutoffs()
            ) { _ in Issue.record("the file must stay") }
            #expect(gone.isEmpty)
            _ = try await farm.store.cancel(next)
            // Its use is younger than the removal asks for.
            let young = try await farm.store.removeArtifacts(
                [key], tenant: farm.tenant, usedBefore: farm.now - 3600, FileCutoffs()
            ) { _ in Issue.record("the file must stay") }
            #expect(young.isEmpty)
        }
    }

    @Test("An export that is compiled during a removal makes the artifact anew", arguments: StoreKind.allCases)
    func compiledMeanwhile(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let key = ArtifactKey.named("sea")
            _ = try await farm.rendering(SampleFilm())
            try await farm.work()
            let id = try await farm.probing([])
            let film = SampleFilm(pictures: ["sea", "dunes"])
            let plan = PlannedExport(jobs: film.jobs, filmKey: film.filmKey, frameCount: film.frameCount)
            let (started, compiling) = AsyncStream<Task<Void, any Error>>.makeStream()
            let gone = try await farm.store.removeArtifacts(
                [key], tenant: farm.tenant, usedBefore: farm.now + 1000, FileCutoffs()
            ) { _ in
                // It looks for its artifacts while their records are held, and so it waits.
                compiling.yield(Task { try await farm.store.startRendering(id, plan) })
            }
            #expect(gone == [key])
            for await task in started {
                try await task.value
                break
            }
            #expect(try await farm.job(id, .video, 0).state == .ready)
            #expect(try await farm.job(id, .video, 0).reused == false)
        }
    }

    @Test("Files that the database does not know go after a day", arguments: StoreKind.allCases)
    func unknown(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let scene = try StoreScene(farm)
            try scene.put(.named("old"))
            try scene.put(.named("young"), age: 4000)
            let report = try await scene.collect(after: 0)
            #expect(report.artifacts.removedUnknown.files == 1)
            #expect(report.artifacts.kept[.unknownAndYoung]?.files == 1)
            #expect(!scene.has(.named("old")) && scene.has(.named("young")))
        }
    }

    @Test("A process that is killed during a removal leaves nothing that stays for ever", arguments: StoreKind.allCases)
    func killed(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let scene = try StoreScene(farm)
            let film = SampleFilm()
            _ = try await farm.rendering(film)
            try await farm.work()
            try scene.put(film)
            let files = StoredFiles.artifacts(in: scene.directory.artifacts(ofTenant: farm.tenant))
            // The files are gone, and the transaction never ends.
            await #expect(throws: (any Error).self) {
                try await farm.store.removeArtifacts(
                    [.named("sea")], tenant: farm.tenant, usedBefore: farm.now + 1000, FileCutoffs()
                ) { keys in
                    for key in keys { #expect(files.remove(key.text) == .removed) }
                    throw FarmError(.internalError, "killed")
                }
            }
            // Only the checksum is gone.
            unlink(scene.path(.named("hills")) + ".sum")
            let report = try await scene.collect()
            #expect(report.artifacts.removedRecords == 1)
            #expect(report.artifacts.removed.files == film.jobs.count - 2)
            #expect(try await farm.store.artifacts(of: farm.tenant, usedBefore: farm.now, after: "", limit: 10) == [film.filmKey])
            #expect(try await scene.collect().artifacts.removed.files == 0, "nothing is left for a second run")
        }
    }

    @Test("Where there are too many bytes, the longest unused go first", arguments: StoreKind.allCases)
    func bySize(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let scene = try StoreScene(farm)
            for name in ["sea", "hills", "wood"] {
                let film = SampleFilm(pictures: [name], sounds: [name + " sound"])
                let id = try await farm.rendering(film)
                try await farm.work()
                #expect(try await farm.state(id) == .completed)
                try scene.put(.named(name), bytes: 100_000)
            }
            var policy = RetentionPolicy()
            policy.artifactsAge = nil
            policy.artifactsBytes = 210_000
            let report = try await scene.collect(policy, after: Self.day)
            #expect(report.artifacts.removed.files == 1 && !scene.has(.named("sea")))
            #expect(scene.has(.named("hills")) && scene.has(.named("wood")))
            #expect(report.artifacts.keptBytes <= 210_000)
            // What was used within two hours stays, whatever the limit.
            policy.artifactsBytes = 0
            #expect(try await scene.collect(policy, after: 0).artifacts.removed.files == 0)
        }
    }

    @Test("Assets that drafts, recordings and open exports mention stay, others go", arguments: StoreKind.allCases)
    func assets(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let scene = try StoreScene(farm)
            let named = try await scene.putAsset("in a draft")
            let rendered = try await scene.putAsset("in an export")
            let unused = try await scene.putAsset("in nothing")
            _ = try await farm.store.putDraft("intro", document: #"{"url":"asset:\#(named)"}"#, tenant: farm.tenant)
            let id = try await farm.probing(["asset:\(rendered)"])
            let probe = try await farm.dispatch(id, .probe)
            try await farm.finish(probe, facts: .sample("asset:\(rendered)"))
            let film = SampleFilm()
            try await farm.store.startRendering(
                id, PlannedExport(jobs: film.jobs, filmKey: film.filmKey, frameCount: film.frameCount))
            let report = try await scene.collect()
            #expect(report.sources.removed.files == 1)
            #expect(report.sources.kept[.draft]?.files == 1 && report.sources.kept[.openExport]?.files == 1)
            func isThere(_ hash: String) -> Bool {
                FileManager.default.fileExists(atPath: scene.directory.asset(hash, ofTenant: farm.tenant))
            }
            #expect(isThere(named) && isThere(rendered) && !isThere(unused))
            #expect(try await farm.store.asset(unused, tenant: farm.tenant) == nil)
        }
    }

    @Test("A draft that hides the letters of hashes keeps all assets", arguments: StoreKind.allCases)
    func hidden(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let scene = try StoreScene(farm)
            _ = try await scene.putAsset("hidden")
            _ = try await farm.store.putDraft("sly", document: #"{"url":"asset:\u0061bc"}"#, tenant: farm.tenant)
            #expect(try await scene.collect().sources.kept[.draft]?.files == 1)
        }
    }

    @Test("What nothing needs goes from a bucket, too, and nothing else", arguments: StoreKind.allCases)
    func bucket(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            var scene = try StoreScene(farm)
            let store = try await scene.useAsBucket(of: "farm 1")
            let film = SampleFilm()
            _ = try await farm.rendering(film)
            try await farm.work()
            try scene.put(film)
            let asset = try await scene.putAsset("nobody's")
            try scene.put(.named("unknown"))
            try scene.put(.named("unknown and young"), age: 3600)
            let folder = scene.directory.artifacts(ofTenant: farm.tenant)
            for foreign in ["notes.txt", "ab/notes.txt", "ab/" + ArtifactKey.named("elsewhere").text] {
                try FileManager.default.createDirectory(atPath: folder + "/ab", withIntermediateDirectories: true)
                try Data("x".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(foreign)"))
            }
            let young = try await scene.collect(after: 0)
            #expect(young.artifacts.removed.files == 0 && young.artifacts.removedUnknown.files == 1)
            #expect(young.artifacts.kept[.unknownAndYoung]?.files == 1)
            #expect(!scene.has(.named("unknown")) && scene.has(.named("unknown and young")))
            #expect(young.artifacts.foreignCount >= 2, "\(young.artifacts.foreignCount)")
            let report = try await scene.collect()
            #expect(report.artifacts.removed.files == film.jobs.count - 1)
            #expect(report.artifacts.removed.byteCount > Int64(1000 * (film.jobs.count - 1)))
            #expect(report.artifacts.kept[.film]?.files == 1)
            for job in film.jobs { #expect(scene.has(job.key) == (job.key == film.filmKey)) }
            let assetFile = scene.directory.asset(asset, ofTenant: farm.tenant)
            #expect(!FileManager.default.fileExists(atPath: assetFile))
            #expect(FileManager.default.fileExists(atPath: folder + "/notes.txt"))
            // Another farm's bucket is left alone.
            scene.files = .bucket(store, farm: "farm 2")
            await #expect(throws: BlobError.self) { try await scene.collect() }
        }
    }

    @Test("An artifact that a worker looks up stays", arguments: StoreKind.allCases)
    func lookedUp(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let scene = try StoreScene(farm)
            let film = SampleFilm()
            _ = try await farm.rendering(film)
            try await farm.work()
            try scene.put(film)
            #expect(try scene.artifacts.localFile(for: .named("sea")) != nil)
            // By the clock of the collection everything is old, so that only the lookup by the machine's clock counts.
            let report = try await GarbageCollection(
                store: farm.store, files: .directory(scene.directory), policy: RetentionPolicy(), at: Date() + 40 * Self.day,
                isDryRun: false
            ).run()
            #expect(report.artifacts.kept[.inUse]?.files == 1)
            #expect(report.artifacts.removed.files == film.jobs.count - 2 && scene.has(.named("sea")))
        }
    }

    @Test("Without the store's marker nothing is removed", arguments: StoreKind.allCases)
    func notMounted(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let scene = try StoreScene(farm)
            _ = try await farm.rendering(SampleFilm())
            try await farm.work()
            unlink(scene.directory.marker.file)
            await #expect(throws: ArtifactError.self) { try await scene.collect() }
            #expect(
                try await farm.store.artifacts(of: farm.tenant, usedBefore: farm.now, after: "", limit: 100).count
                    == SampleFilm().jobs.count)
        }
    }
}
