import ContentHashing
package import ExportPlan
import Synchronization

/// Compares uploaded assets with the sha256 that is their name. Each asset is compared once while this worker runs, as
/// long as its file stays the same. That reads all its bytes, so `ArtifactLookup` does it on its own thread. All slots
/// of a worker share one verifier.
package final class AssetVerifier: Sendable {
    private let verified = Mutex<[String: FileIdentity]>([:])

    package init() {}

    /// - Parameters:
    ///   - hash: the asset's sha256, which is its name.
    ///   - progress: called after each megabyte that was read.
    /// - Returns: the identity of the file, whose bytes are right.
    /// - Throws: `JobFailure`: class `input` where the bytes are wrong, with the asset in `damagedAsset`; class
    ///   `storage` where they cannot be read.
    package func identity(
        ofAsset path: String, hash: String, progress: () -> Void = {}
    ) throws -> FileIdentity {
        let location = AssetLocation.location(of: hash)
        guard let before = FileIdentity(ofFile: path) else {
            throw JobFailure(.storage, subject: location, message: "cannot be examined in the store; the job is retried")
        }
        if verified.withLock({ $0[path] }) == before { return before }
        let found: String
        do throws(ContentHash.ReadError) {
            found = try ContentHash.ofFile(path) { _ in progress() }.hash
        } catch {
            throw JobFailure(.storage, subject: location, message: "cannot be read in the store: \(error.reason)")
        }
        guard FileIdentity(ofFile: path) == before else {
            throw JobFailure(.storage, subject: location, message: "was written to while it was read; the job is retried")
        }
        guard found == hash else {
            var failure = JobFailure(.input, subject: location, message: "is damaged in the store; upload it again")
            failure.damagedAsset = hash
            throw failure
        }
        verified.withLock { $0[path] = before }
        return before
    }
}
