package import ExportPlan
package import FoundationEssentials

/// A store of artifacts by their content keys. The same key means the same bytes, so an artifact in the store is never
/// made again.
package protocol ArtifactStore: Sendable {
    /// A file with the artifact's bytes, if the store has the complete artifact.
    ///
    /// The file's size and checksum are compared with the recorded ones. An artifact that could be read completely and
    /// does not match is removed, and the result is nil. An artifact that cannot be read is never removed.
    /// - Throws: `ArtifactError` `cannotRead` when the store, the artifact or its checksum cannot be read.
    func localFile(for key: ArtifactKey) throws -> String?

    /// The warnings about damage that the rendering process concealed when it made the artifact; they are kept beside
    /// the checksum.
    /// - Returns: an empty list also where the artifact does not exist.
    /// - Throws: `ArtifactError` `cannotRead` when the store cannot be read.
    func warnings(of key: ArtifactKey) throws -> [SourceWarning]

    /// When the artifact was stored, if the store has the complete artifact.
    /// - Throws: the same errors as `localFile`.
    func dateStored(_ key: ArtifactKey) throws -> Date?

    /// Removes an artifact that was stored correctly but whose content is wrong, so that it is made again.
    func discard(_ key: ArtifactKey)

    /// Moves a finished file into the store, atomically. A second artifact with the same key has the same bytes.
    /// - Parameters:
    ///   - file: a file on the store's own disk, if it has one (see `temporaryFile`); it no longer exists afterwards.
    ///   - warnings: damage in sources that was concealed when the artifact was made; at most `[SourceWarning].limit`
    ///     are kept.
    /// - Throws: `ArtifactError` of class `storage` when it cannot be written.
    func put(_ file: String, for key: ArtifactKey, warnings: [SourceWarning]) throws

    /// A new path for a file that is to become an artifact; no file exists there yet.
    func temporaryFile(for key: ArtifactKey) throws -> String

    /// Removes the temporary files of processes that no longer exist.
    func removeLeftovers()
}

extension ArtifactStore {
    /// Moves a finished file into the store that was made without concealing any damage.
    /// - Throws: the same errors as `put(_:for:warnings:)`.
    package func put(_ file: String, for key: ArtifactKey) throws { try put(file, for: key, warnings: []) }
}

/// An error of a file or directory of the store.
package typealias ArtifactError = CodedError<ArtifactErrorCode>

package enum ArtifactErrorCode: String, FailureCode {
    case cannotRead, cannotWrite

    package var failureClass: FailureClass { .storage }
}
