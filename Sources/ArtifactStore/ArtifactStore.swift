public import ExportPlan

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Where artifacts are kept under their content keys. Same key, same bytes: what is there is never made again.
public protocol ArtifactStore: Sendable {
    /// A file with the artifact's bytes, if the store has it whole.
    ///
    /// Size and checksum are compared with what was written beside them; an artifact that was read to its end and does not
    /// agree is dropped, and the answer is nil. Nothing is dropped because it could not be read.
    /// - Throws: `ArtifactError` `cannotRead` when the store, the artifact or its checksum cannot be read.
    func localFile(for key: ArtifactKey) throws -> String?

    /// What the rendering process concealed while it made the artifact: kept beside the checksum.
    /// - Returns: nothing also where the artifact is not there.
    /// - Throws: `ArtifactError` `cannotRead` when the store cannot be read.
    func warnings(of key: ArtifactKey) throws -> [SourceWarning]

    /// When the artifact was put there, if the store has it whole.
    /// - Throws: as `localFile`.
    func dateStored(_ key: ArtifactKey) throws -> Date?

    /// Drops an artifact whose bytes are as they were stored and are not what they should be, so that it is made again.
    func discard(_ key: ArtifactKey)

    /// Takes a finished file into the store, atomically. A second artifact under the same key has the same bytes.
    /// - Parameters:
    ///   - file: on the store's own disk where there is one (see `temporaryFile`); it is gone afterwards.
    ///   - warnings: damage in sources that was concealed while the artifact was made; at most `[SourceWarning].limit` are kept.
    /// - Throws: `ArtifactError`, class `storage`, when it cannot be written.
    func put(_ file: String, for key: ArtifactKey, warnings: [SourceWarning]) throws

    /// A new name for a file that is to become an artifact; nothing exists under it yet.
    func temporaryFile(for key: ArtifactKey) throws -> String

    /// Removes the temporary files of processes that are gone.
    func removeLeftovers()
}

extension ArtifactStore {
    /// Takes a finished file into the store that was made without concealing anything.
    /// - Throws: as `put(_:for:warnings:)`.
    public func put(_ file: String, for key: ArtifactKey) throws { try put(file, for: key, warnings: []) }
}

/// What went wrong with a file or directory of the store.
public typealias ArtifactError = CodedError<ArtifactErrorCode>

public enum ArtifactErrorCode: String, FailureCode {
    case cannotRead, cannotWrite

    public var failureClass: FailureClass { .storage }
}
