import BlockingWork
package import ExportPlan
import Synchronization
import Glibc

/// Films in the workers' artifact directories.
///
/// The first access to a film reads all of it to verify its checksum. Later accesses compare only its size, time and
/// inode, so that a player can ask for many ranges quickly.
package final class DirectoryFilms: FilmFiles {
    /// Verifies films on several threads, so that a long film of one tenant does not delay those of others.
    private let pool = BlockingPool(name: "films", threads: 4, waiting: 1024, waitingPerLane: 256)
    private let directory: FarmDirectory
    private let verified = Mutex<[String: Stamp]>([:])

    package init(_ directory: FarmDirectory) {
        self.directory = directory
    }

    package func film(_ key: ArtifactKey, tenant: Int64) async throws -> String? {
        try await pool.run(lane: tenant) { [self] in try find(key, tenant) }
    }

    package func recordedSum(of key: ArtifactKey, tenant: Int64) async throws -> (hash: String, byteCount: Int64)? {
        try await pool.run(lane: tenant) { [self] in try findSum(of: key, tenant) }
    }

    private func findSum(of key: ArtifactKey, _ tenant: Int64) throws -> (hash: String, byteCount: Int64)? {
        // An empty directory in the place of the store would make every film look missing.
        try directory.marker.check()
        return try DirectoryArtifactStore(directory: directory.artifacts(ofTenant: tenant)).recordedSum(of: key)
    }

    private func find(_ key: ArtifactKey, _ tenant: Int64) throws -> String? {
        let artifacts = directory.artifacts(ofTenant: tenant)
        let known = "\(artifacts)/\(key.text.prefix(2))/\(key.text)"
        if let stamp = verified.withLock({ $0[known] }), stamp == Stamp(ofFile: known) { return known }
        // An empty directory in the place of the store would make every film look missing, so check the marker file
        // first.
        try directory.marker.check()
        let before = Stamp(ofFile: known)
        guard let path = try DirectoryArtifactStore(directory: artifacts).localFile(for: key) else { return nil }
        verified.withLock { verified in
            if verified.count >= 10_000 { verified = [:] }
            verified[path] = before
        }
        return path
    }

    private struct Stamp: Equatable {
        var size: Int
        var inode: UInt64
        var seconds: Int
        var nanoseconds: Int

        init?(ofFile path: String) {
            var status = stat()
            guard lstat(path, &status) == 0 else { return nil }
            size = Int(status.st_size)
            inode = UInt64(status.st_ino)
            seconds = status.st_mtim.tv_sec
            nanoseconds = status.st_mtim.tv_nsec
        }
    }
}
