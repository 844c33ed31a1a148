import ContentHashing
package import ExportPlan

/// Compares uploaded assets with the sha256 that is their name, each once for as long as this worker runs and its file stays the same.
/// That reads all their bytes: `ArtifactShelf` does it on its own thread.
package struct AssetVerifier {
    private var verified: [String: FileIdentity] = [:]

    package init() {}

    /// - Parameter hash: the asset's name.
    /// - Returns: the identity of the file whose bytes are right.
    /// - Throws: `JobFailure`, class `input` where the bytes are others, which `damagedAsset` names; `storage` where they cannot be read.
    package mutating func identity(ofAsset path: String, hash: String) throws -> FileIdentity {
        let location = AssetLocation.location(of: hash)
        guard let before = FileIdentity(ofFile: path) else {
            throw JobFailure(.storage, subject: location, message: "cannot be looked at in the store; it is tried again")
        }
        if verified[path] == before { return before }
        let found: String
        do throws(ContentHash.ReadError) {
            found = try ContentHash.ofFile(path).hash
        } catch {
            throw JobFailure(.storage, subject: location, message: "cannot be read in the store: \(error.reason)")
        }
        guard FileIdentity(ofFile: path) == before else {
            throw JobFailure(.storage, subject: location, message: "was written to while it was read; it is tried again")
        }
        guard found == hash else {
            var failure = JobFailure(.input, subject: location, message: "is damaged in the store; upload it again")
            failure.damagedAsset = hash
            throw failure
        }
        verified[path] = before
        return before
    }
}
