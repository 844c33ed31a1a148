import ArtifactStore
import BlockingWork
import ExportPlan

/// Looks whether artifacts are there, whole: that reads all their bytes, so it has a thread of its own.
actor ArtifactShelf {
    private let thread = BlockingThread(name: "artifact-shelf")
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
    private let directory: FarmDirectory

    init(_ directory: FarmDirectory) {
        self.directory = directory
    }

    /// - Returns: what making the artifact concealed where the store has it whole; nil where it has not.
    /// - Throws: `ArtifactError` when the store cannot be read.
    func warnings(ofStored key: ArtifactKey, tenant: Int64) throws -> [SourceWarning]? {
        let store = try DirectoryArtifactStore(directory: directory.artifacts(ofTenant: tenant))
        guard try store.localFile(for: key) != nil else { return nil }
        return try store.warnings(of: key)
    }
}
