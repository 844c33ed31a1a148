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
    /// Size and checksum are compared with what was written beside them; an artifact that does not agree is dropped, and
    /// the answer is nil.
    /// - Throws: `ArtifactError` when the store itself cannot be read.
    func localFile(for key: ArtifactKey) throws -> String?

    /// When the artifact was put there, if the store has it whole.
    /// - Throws: as `localFile`.
    func dateStored(_ key: ArtifactKey) throws -> Date?

    /// Takes a finished file into the store, atomically. A second artifact under the same key has the same bytes.
    /// - Parameter file: on the store's own disk where there is one (see `temporaryFile`); it is gone afterwards.
    /// - Throws: `ArtifactError`, class `transient`, when it cannot be written.
    func put(_ file: String, for key: ArtifactKey) throws

    /// A new name for a file that is to become an artifact; nothing exists under it yet.
    func temporaryFile(for key: ArtifactKey) throws -> String

    /// Removes the temporary files of processes that are gone.
    func removeLeftovers()
}

/// What went wrong with a file or directory of the store.
public typealias ArtifactError = CodedError<ArtifactErrorCode>

public enum ArtifactErrorCode: String, FailureCode {
    case cannotRead, cannotWrite

    public var failureClass: FailureClass { .transient }
}
