import Synchronization

/// Lets only one thread at a time use fonts.
///
/// cairo 1.16 keeps ten FreeType faces open and closes an unused one when it needs another. It checks the use without a
/// lock, so that it may close a face that another thread has just taken.
enum FontLock {
    private static let mutex = Mutex(())

    static func with<Result: Sendable, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        try mutex.withLock { (_) throws(Failure) -> Result in try body() }
    }
}
