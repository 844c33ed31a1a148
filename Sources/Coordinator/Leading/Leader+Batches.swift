import FarmAPI
import JobQueue
import FoundationEssentials

/// Submits the rows of batches as exports, as fast as their paces and `ReleasePace.window` allow.
extension Leader {
    /// How often the leader looks for rows that may be submitted. Without batches that wait it is one look at an empty
    /// index each time.
    private static let releaseInterval = Duration.seconds(1)

    /// Submits rows until the task is cancelled.
    /// - Parameter compiling: is woken when there are new exports.
    func releaseBatches(_ compiling: WakeSignal) async {
        while !Task.isCancelled {
            await retrying("batches") {
                guard try await store.hasWaitingRows() else { return }
                while !Task.isCancelled, try await store.releaseRows(at: term.now()) > 0 { compiling.wake() }
            }
            try? await Task.sleep(for: Leader.releaseInterval)  // cancelled: the loop's condition ends the loop
        }
    }
}
