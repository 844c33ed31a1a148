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

    /// - Returns: false also when the store cannot be read: the job will say why.
    func has(_ key: ArtifactKey, tenant: Int64) -> Bool {
        do {
            let store = try DirectoryArtifactStore(directory: directory.artifacts(ofTenant: tenant))
            return try store.localFile(for: key) != nil
        } catch {
            return false
        }
    }
}
