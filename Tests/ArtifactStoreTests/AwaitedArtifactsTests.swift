import ArtifactStore
import ContentHashing
import ExportPlan
import FoundationEssentials
import TestSupport
import Testing

/// Artifacts that come while somebody looks for them.
@Suite("Awaited artifacts", .timeLimit(.minutes(2)))
struct AwaitedArtifactsTests {
    private let folder: TemporaryDirectory
    private let base: DirectoryArtifactStore
    private let key = ArtifactKey(ContentHash.of("an artifact".utf8))

    init() throws {
        folder = try TemporaryDirectory()
        base = try DirectoryArtifactStore(directory: folder.file("store"))
    }

    private func make(_ text: String) throws {
        let file = try base.temporaryFile(for: key)
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        try base.put(file, for: key)
    }

    @Test("A look waits until the artifact and its record are there")
    func waits() async throws {
        let store = AwaitedArtifacts(base)
        let (began, beginning) = AsyncStream.makeStream(of: Void.self)
        // A thread of its own, because the look blocks it.
        let path = Task.detached { [key] in
            beginning.yield()
            return try store.localFile(for: key)
        }
        for await _ in began { break }
        try make("bytes")
        #expect(try await path.value == "\(base.directory)/\(key.text.prefix(2))/\(key.text)")
    }

    @Test("A damaged artifact is none, and is not waited for")
    func damaged() throws {
        try make("bytes")
        try Data("BYTES".utf8).write(to: URL(fileURLWithPath: "\(base.directory)/\(key.text.prefix(2))/\(key.text)"))
        #expect(try AwaitedArtifacts(base).localFile(for: key) == nil)
    }
}
