import ArtifactStore
import ExportPlan
import TestSupport
import Testing
import FoundationEssentials

/// A farm's store in a directory, where it cannot be used.
@Suite("A farm's directory")
struct FarmDirectoryTests {
    private let folder: TemporaryDirectory
    private let directory: FarmDirectory

    init() throws {
        folder = try TemporaryDirectory()
        directory = FarmDirectory(folder.file("store"))
        try directory.marker.create()
    }

    @Test("Uploads are refused with their place where a file stands in it")
    func uploads() throws {
        try Data("a file".utf8).write(to: URL(fileURLWithPath: directory.root + "/assets"))
        let error = #expect(throws: AssetUploadError.self) { _ = try DirectoryAssets(directory) }
        #expect(error?.reason == .cannotWrite)
        #expect(error?.message == "'\(directory.root)/assets/tmp' cannot be created or written")
    }

    @Test("A call that finds no room in the queue says that the store cannot be used now")
    func crowded() async throws {
        let blobs = DirectoryBlobs(directory, waiting: 0)
        let name = try #require(BlobName("farm"))
        let error = await #expect(throws: BlobError.self) { _ = try await blobs.info(of: name) }
        #expect(error?.code == .unavailable)
        #expect(error?.description == "'\(directory.root)' cannot be used now: too many calls wait for it")
    }
}
