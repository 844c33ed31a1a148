import ArtifactStore
import BlockingWork
import CommandLineInterface
import Coordinator
import Glibc

/// Looks whether the farm's store can be used, for `/readyz` and `/metrics`. A directory may hang, so it has a thread of
/// its own; `FarmObserver` waits for it no longer than its timeout.
actor StoreCheck {
    private let thread = BlockingThread(name: "store check")
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
    private let location: StoreLocation
    private let farm: String

    /// - Parameter farm: the id of the farm that the store belongs to.
    init(_ location: StoreLocation, farm: String) {
        self.location = location
        self.farm = farm
    }

    /// The room that the store's file system has; nil for a bucket, which has no size.
    /// - Throws: `ArtifactError` or `BlobError` where the store cannot be used.
    func room() async throws -> FarmObserver.StoreRoom? {
        switch location {
        case .bucket(let store, _):
            try await store.check(farm: farm)
            return nil
        case .directory(let path):
            try FarmDirectory(path, farm: farm).marker.check()
            var status = statvfs()
            guard statvfs(path, &status) == 0 else { return nil }
            let unit = Int64(status.f_frsize)
            return FarmObserver.StoreRoom(size: Int64(status.f_blocks) * unit, free: Int64(status.f_bavail) * unit)
        }
    }
}
