import ArtifactStore
import BlockingWork
import ExportPlan

/// Looks whether the farm's store is there and can be written. That may take as long as the storage likes, so it has a thread
/// of its own.
actor StoreWatch {
    private let thread = BlockingThread(name: "store-watch")
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
    private let marker: StoreMarker
    private let worker: String

    /// - Parameter worker: the worker's name, unlike any other's: what it writes is named for it.
    init(_ directory: FarmDirectory, worker: String) {
        marker = directory.marker
        self.worker = worker
    }

    /// What a look at the store has found.
    struct Look: Sendable {
        /// What is wrong with the store; nil where nothing is.
        var trouble: String?
    }

    func look() -> Look {
        do {
            try marker.checkWriting(as: worker)
            return Look()
        } catch let error as any ClassifiedError {
            return Look(trouble: "'\(error.subject)' \(error.message)")
        } catch {
            return Look(trouble: "\(error)")
        }
    }
}
