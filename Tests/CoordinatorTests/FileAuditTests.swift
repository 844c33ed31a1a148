import ArtifactStore
import Coordinator
import ExportPlan
import FarmAPI
import TestSupport
import Testing
import FoundationEssentials

/// The audit of a store: each fault is made by hand, and found.
@Suite("The audit of files")
struct FileAuditTests {
    private static func faults(
        _ scene: StoreScene, _ reading: FileAudit.Reading = .all, at now: Date = Date()
    ) async throws -> [String] {
        let report = try await FileAudit(
            store: scene.farm.store, files: scene.files, blobs: DirectoryBlobs(scene.directory), reading: reading,
            policy: RetentionPolicy(), at: now
        ).run()
        return report.audit.faults.map { "\($0.rule.rawValue): \($0.subject) \($0.detail)" }
    }

    /// A completed export, whose files are all there.
    private static func completed(_ farm: StoreFixture) async throws -> (scene: StoreScene, export: ExportID, film: SampleFilm) {
        let scene = try StoreScene(farm)
        let film = SampleFilm()
        let id = try await farm.rendering(film)
        try await farm.work()
        try scene.put(film)
        return (scene, id, film)
    }

    @Test("Finds nothing wrong with a store that is whole", arguments: StoreKind.allCases)
    func clean(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let (scene, _, _) = try await Self.completed(farm)
            _ = try await scene.putAsset("a song")
            #expect(try await Self.faults(scene).isEmpty)
        }
    }

    @Test("Finds films and artifacts that are not there", arguments: StoreKind.allCases)
    func missing(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let (scene, id, film) = try await Self.completed(farm)
            try FileManager.default.removeItem(atPath: scene.path(film.filmKey))
            try FileManager.default.removeItem(atPath: scene.path(film.filmKey) + ".sum")
            #expect(
                try await Self.faults(scene, .sample(0)) == [
                    "films: \(id.text) of tenant \(farm.tenant) is completed, and its film or pictures are not in the store",
                    "artifacts: \(film.filmKey) of tenant \(farm.tenant) is not there",
                ])
            try await farm.store.removeFilm(of: id)
            #expect(try await Self.faults(scene).count == 1, "a film that a client removed may be missing")
        }
    }

    @Test("Finds bytes that have changed, and files that are cut short", arguments: StoreKind.allCases)
    func damaged(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let (scene, _, film) = try await Self.completed(farm)
            let (first, second) = (film.jobs[0].key, film.jobs[1].key)
            try Data(repeating: 8, count: 1000).write(to: URL(fileURLWithPath: scene.path(first)))
            try Data(repeating: 7, count: 999).write(to: URL(fileURLWithPath: scene.path(second)))
            let third = film.jobs[2].key
            try FileManager.default.removeItem(atPath: scene.path(third) + ".sum")
            #expect(
                Set(try await Self.faults(scene))
                    == [
                        "artifacts: \(first) of tenant \(farm.tenant) has other bytes than those that were stored",
                        "artifacts: \(second) of tenant \(farm.tenant) has 999 bytes, and 1000 were stored",
                        "artifacts: \(third) of tenant \(farm.tenant) has no checksum beside it",
                    ])
            #expect(try await Self.faults(scene, .sample(0)).isEmpty, "nothing was read")
        }
    }

    @Test("Finds assets that are missing or have other bytes", arguments: StoreKind.allCases)
    func assets(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let scene = try StoreScene(farm)
            let hashes = [try await scene.putAsset("a song"), try await scene.putAsset("a film")]
            try Data("another song".utf8).write(to: URL(fileURLWithPath: scene.directory.asset(hashes[0], ofTenant: farm.tenant)))
            try FileManager.default.removeItem(atPath: scene.directory.asset(hashes[1], ofTenant: farm.tenant))
            #expect(
                Set(try await Self.faults(scene))
                    == [
                        "assets: \(hashes[0]) of tenant \(farm.tenant) has other bytes than those that were uploaded",
                        "assets: \(hashes[1]) of tenant \(farm.tenant) ('a film') is not there",
                    ])
        }
    }

    @Test("Finds files that no row knows, once they are a day old", arguments: StoreKind.allCases)
    func unknown(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let scene = try StoreScene(farm)
            let key = ArtifactKey.named("left over")
            try scene.put(key, age: 0)
            #expect(try await Self.faults(scene).isEmpty, "its report may be on the way")
            #expect(
                try await Self.faults(scene, at: Date() + 1.1 * StoreScene.day)
                    == ["unknown-files: \(key) of tenant \(farm.tenant) is in the store for more than a day, and no row knows it"]
            )
        }
    }

    @Test("A store that is away is no store without files")
    func away() async throws {
        try await onStore(.memory) { farm in
            let (scene, _, _) = try await Self.completed(farm)
            try FileManager.default.removeItem(atPath: scene.directory.root)
            await #expect(throws: (any Error).self) { _ = try await Self.faults(scene) }
        }
    }
}
