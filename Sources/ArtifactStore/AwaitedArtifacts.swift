package import ExportPlan
package import FoundationEssentials
import Glibc

/// A store whose artifacts may still be being fetched: a look for one waits until it is there. The process that fetches them
/// ends this one where one cannot be had.
package struct AwaitedArtifacts: ArtifactStore {
    private let base: DirectoryArtifactStore

    package init(_ base: DirectoryArtifactStore) { self.base = base }

    package func localFile(for key: ArtifactKey) throws -> String? {
        while try !base.has(key) { usleep(AwaitedArtifacts.pause) }
        return try base.localFile(for: key)
    }

    /// Microseconds between two looks.
    private static let pause: useconds_t = 2000

    package func warnings(of key: ArtifactKey) throws -> [SourceWarning] { try base.warnings(of: key) }
    package func dateStored(_ key: ArtifactKey) throws -> Date? { try base.dateStored(key) }
    package func discard(_ key: ArtifactKey) { base.discard(key) }
    package func put(_ file: String, for key: ArtifactKey, warnings: [SourceWarning]) throws {
        try base.put(file, for: key, warnings: warnings)
    }
    package func temporaryFile(for key: ArtifactKey) throws -> String { try base.temporaryFile(for: key) }
    package func removeLeftovers() { base.removeLeftovers() }
}
