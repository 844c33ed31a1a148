import ArtifactStore
import ExportPlan
import TestSupport
import Testing

/// A bucket that no coordinator has given to a farm yet.
@Suite("A store with copies on this machine")
struct MirroredStoreTests {
    private static let tenant: Int64 = 7

    private let folder: TemporaryDirectory
    private let store: MirroredStore

    init() throws {
        folder = try TemporaryDirectory()
        let remote = FarmDirectory(folder.file("remote"))
        try remote.marker.create()
        store = try MirroredStore(
            DirectoryBlobs(remote), address: "s3://films", directory: FarmDirectory(folder.file("copies")), limit: 1 << 30)
    }

    @Test("A bucket without the farm's name is away for its own farm, and no store for others")
    func unnamed() async throws {
        #expect(try await store.complaint(farm: "farm 1") == "'s3://films' has no blob 'farm'")
        let error = await #expect(throws: BlobError.self) { try await store.check(farm: nil) }
        #expect(error?.code == .noStore)
        #expect(
            error?.description
                == "'s3://films' is not a farm's store: it has no blob 'farm'; start the coordinator first")
        try await store.claim(for: "farm 1")
        #expect(try await store.complaint(farm: "farm 1") == nil)
        try await store.check(farm: nil)
    }

    @Test("An artifact that is gone from this machine is not published")
    func gone() async throws {
        let key = ArtifactKey(String(repeating: "ab", count: 32))
        let error = await #expect(throws: BlobError.self) { try await store.publish(key, tenant: Self.tenant) }
        #expect(error?.code == .cannotRead)
        #expect(
            error?.description == "'\(folder.file("copies"))/tenants/7/ab/\(key.text)' is gone before it was uploaded")
    }

    @Test("A hash that leads to another folder is refused")
    func hostile() async throws {
        let error = await #expect(throws: BlobError.self) { try await store.has(asset: "..", tenant: Self.tenant) }
        #expect(error?.code == .refused)
        #expect(error?.description == "'assets/7/../..' cannot be the name of a file of a farm")
    }

    @Test("What is not the name of a stored file is not removed, and the others are")
    func strangeNames() async throws {
        let name = String(repeating: "ab", count: 32)
        let removals = await store.assetFiles(ofTenant: Self.tenant).remove(["farm", name])
        #expect(removals == [name: .removed, "farm": .failed("'farm' is not the name of a stored file")])
    }
}
