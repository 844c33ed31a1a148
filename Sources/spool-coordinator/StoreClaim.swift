import ArtifactStore
import CommandLineInterface
import Coordinator
import ExportPlan
import Logging

/// Gives the farm its store when the coordinator starts. The first time the store gets the farm's mark; from then on it
/// has to have it. A store without the mark is one that is away, such as the mount point of a file system that is not
/// mounted: nothing is written there, and workers wait for it.
struct StoreClaim {
    private let location: StoreLocation
    private let farm: String
    private let database: PostgresFarmStore
    private let logger: Logger

    /// - Parameter farm: the farm's id.
    init(_ location: StoreLocation, farm: String, _ database: PostgresFarmStore, _ logger: Logger) {
        self.location = location
        self.farm = farm
        self.database = database
        self.logger = logger
    }

    /// The files of the store.
    /// - Throws: `ArtifactError` or `BlobError` when it belongs to another farm, or cannot be made the farm's.
    func files() async throws -> (assets: any AssetBlobs, films: any FilmFiles) {
        let isNew = try await !database.hasStore()
        let files: (assets: any AssetBlobs, films: any FilmFiles)
        switch location {
        case .directory(let path):
            let directory = FarmDirectory(path, farm: farm)
            if isNew {
                try directory.marker.create()
            } else if let complaint = try directory.marker.assign() {
                warn(complaint)
            }
            files = (try DirectoryAssets(directory), DirectoryFilms(directory))
        case .bucket(let store, _):
            if isNew {
                try await store.claim(for: farm)
            } else if let complaint = try await store.complaint(farm: farm) {
                warn(complaint)
            }
            files = (try MirroredAssets(store), MirroredFilms(store))
        }
        if isNew { try await database.setHasStore(true) }
        return files
    }

    private func warn(_ complaint: String) {
        logger.warning(
            "the store is away: \(complaint); if it is lost, 'spool migrate --new-store' lets the farm have a new one")
    }
}
