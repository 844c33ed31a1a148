import ArtifactStore
import BlockingWork
import ExportPlan

/// Checks whether the farm's store is there and can be written. Storage may take any time to answer, so this has its
/// own thread.
actor StoreWatch {
    private let thread = BlockingThread(name: "store-watch")
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
    private let marker: StoreMarker
    private let mirror: MirroredStore?
    private let worker: String

    /// - Parameters:
    ///   - directory: the store, or this machine's copies of `mirror`.
    ///   - worker: the worker's id, different from that of any other; it names what is written for the check.
    init(_ directory: FarmDirectory, mirror: MirroredStore?, worker: String) {
        marker = directory.marker
        self.mirror = mirror
        self.worker = worker
    }

    /// The result of checking the store.
    struct Look: Sendable {
        /// The reason why the store cannot be used; nil where it can.
        var trouble: String?
    }

    /// - Parameter farm: the id of the farm whose store it has to be; nil where that is not known yet.
    func look(forFarm farm: String?) async -> Look {
        var marker = marker
        // Copies belong to no farm.
        if mirror == nil { marker.farm = farm }
        do {
            do {
                try marker.checkWriting(as: worker)
            } catch {
                // The disk may be full of copies that nobody uses.
                guard let mirror else { throw error }
                try await mirror.makeRoom()
                try marker.checkWriting(as: worker)
            }
            try await mirror?.check(farm: farm)
            return Look()
        } catch let error as any ClassifiedError {
            return Look(trouble: "'\(error.subject)' \(error.message)")
        } catch {
            return Look(trouble: "\(error)")
        }
    }
}
