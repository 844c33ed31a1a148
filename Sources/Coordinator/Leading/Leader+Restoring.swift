import FarmAPI
import JobQueue
import Logging
import FoundationEssentials

/// The leader's look for a database that has been restored from a backup.
///
/// The database then gives out numbers a second time: a job that is made now would have the number of another job that was
/// made after the backup, and a worker that still has that job would report its result for the new one. So numbers go on
/// far behind all that were given out. The queue tells that it is necessary: it knows the highest number of a job that was
/// ever sent, and the database has not come as far.
extension Leader {
    /// Compares the numbers of the database with those that the queue knows. Retries while the queue is away, because no
    /// job may get a number before.
    /// - Returns: false where this coordinator does not lead any more.
    func compareNumbers() async -> Bool {
        while !Task.isCancelled {
            // The leader does what can be done.
            term.noteProgress()
            do {
                try await store.confirmLead()
                let highest = try await queue.highestJob()
                if try await store.skipNumbers(behindJob: highest) {
                    logger.warning(
                        """
                        the database was restored from a backup, because job \(highest) was sent once and the database has not \
                        come as far: numbers of jobs, drafts and events go on far behind those that were given out
                        """)
                }
                return true
            } catch is CancellationError {
                return false
            } catch let error as FarmError where error.code == .lostLead {
                return false
            } catch {
                logger.warning("cannot compare the numbers of the database with the queue: \(error); retrying")
                try? await Task.sleep(for: .seconds(1))  // cancelled: the loop's condition ends the loop
            }
        }
        return false
    }
}
