import Synchronization

/// Lets one thread at a time have to do with fonts.
///
/// cairo 1.16 keeps ten faces of FreeType open and closes one that nobody draws with when another is needed; but it finds that
/// out without a lock, so that the face may be closed under a thread that has just taken it.
enum FontLock {
    private static let mutex = Mutex(())

    static func with<Result: Sendable, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        try mutex.withLock { (_) throws(Failure) -> Result in try body() }
    }
}
