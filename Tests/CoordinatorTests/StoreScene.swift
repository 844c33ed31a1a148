import ArtifactStore
import Coordinator
import ExportPlan
import FarmAPI
import TestSupport
import Testing
import FoundationEssentials
import Glibc

/// A store's directory beside a farm, whose files were all stored long ago.
struct StoreScene: Sendable {
    static let day = 86_400.0

    let farm: StoreFixture
    let directory: FarmDirectory
    private let temporary: TemporaryDirectory
    /// The store as garbage collection sees it.
    var files: CollectedStore

    init(_ farm: StoreFixture) throws {
        self.farm = farm
        temporary = try TemporaryDirectory()
        directory = FarmDirectory(temporary.file("store"))
        try directory.marker.create()
        files = .directory(directory)
    }

    /// Takes the directory for a bucket that belongs to a farm.
    mutating func useAsBucket(of farm: String) async throws -> MirroredStore {
        let copies = FarmDirectory(temporary.file("copies"))
        let store = try MirroredStore(DirectoryBlobs(directory), address: "s3://films", directory: copies, limit: 0)
        try await store.claim(for: farm)
        files = .bucket(store, farm: farm)
        return store
    }

    var artifacts: DirectoryArtifactStore {
        get throws { try DirectoryArtifactStore(directory: directory.artifacts(ofTenant: farm.tenant)) }
    }

    func path(_ key: ArtifactKey) -> String {
        "\(directory.artifacts(ofTenant: farm.tenant))/\(key.text.prefix(2))/\(key.text)"
    }

    /// Stores a file under a key.
    func put(_ key: ArtifactKey, bytes: Int = 1000, age: TimeInterval = 3 * StoreScene.day) throws {
        let store = try artifacts
        let file = try store.temporaryFile(for: key)
        try Data(repeating: 7, count: bytes).write(to: URL(fileURLWithPath: file))
        try store.put(file, for: key)
        setAge(age, path(key))
        setAge(age, path(key) + ".sum")
    }

    /// Stores the artifacts of a film.
    func put(_ film: SampleFilm) throws { for job in film.jobs { try put(job.key) } }

    func has(_ key: ArtifactKey) -> Bool { FileManager.default.fileExists(atPath: path(key)) }

    func putAsset(_ name: String) async throws -> String {
        let hash = ArtifactKey.named(name).text
        let path = directory.asset(hash, ofTenant: farm.tenant)
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: directory.uploads, withIntermediateDirectories: true)
        try Data(name.utf8).write(to: URL(fileURLWithPath: path))
        setAge(3 * StoreScene.day, path)
        let asset = Asset(hash: hash, byteCount: Int64(name.utf8.count), name: name, createdAt: Date())
        try await farm.store.putAsset(asset, tenant: farm.tenant)
        return hash
    }

    /// Collects as if the given time had passed, first without and then with effect, and expects the same of both.
    func collect(
        _ policy: RetentionPolicy = RetentionPolicy(), after: TimeInterval = 40 * StoreScene.day
    ) async throws -> GarbageReport {
        let now = Date() + after
        var dry = try await GarbageCollection(
            store: farm.store, files: files, policy: policy, at: now, isDryRun: true
        ).run()
        let report = try await GarbageCollection(
            store: farm.store, files: files, policy: policy, at: now, isDryRun: false
        ).run()
        #expect(dry.isDryRun && !report.isDryRun)
        dry.isDryRun = false
        #expect(dry == report, "a dry run foretells the real one")
        return report
    }

    func setAge(_ age: TimeInterval, _ path: String) {
        let time = timeval(tv_sec: Int(Date().timeIntervalSince1970 - age), tv_usec: 0)
        utimes(path, [time, time])
    }
}
