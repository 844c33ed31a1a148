import ArtifactStore
import CommandLineInterface
import Vocabulary

/// The limit of the cache. Commands that store artifacts end with it: `export`, `waveform` and `record append`. The
/// others only hold the cache's lock, because listing the cache would make them slow.
extension DraftPreparation {
    /// Ends the use of the cache, and removes the longest unused artifacts where they have more bytes than
    /// `--cache-size` allows and no other process uses the cache. It comes after the work, also when that has failed.
    /// - Parameter isQuiet: whether nothing is said of it on standard error.
    /// - Returns: the bytes that were removed.
    @discardableResult
    func limitCache(isQuiet: Bool) -> Int64 {
        let removed = cache.endUse()
        if removed > 0, !isQuiet {
            Terminal.error("removed \(Phrase.bytes(removed)) of the longest unused segments from the cache, see --cache-size")
        }
        return removed
    }
}
