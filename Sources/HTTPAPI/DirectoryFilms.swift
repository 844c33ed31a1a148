public import ArtifactStore
import BlockingWork
public import ExportPlan

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Films in the workers' artifact directories.
///
/// The first look at a film reads all of it to compare its checksum; after that its size, time and inode vouch for it, so that
/// a player may ask for one range after another.
public actor DirectoryFilms: FilmFiles {
    private let thread = BlockingThread(name: "films")
    private let directory: FarmDirectory
    private var verified: [String: Stamp] = [:]

    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    public init(_ directory: FarmDirectory) {
        self.directory = directory
    }

    public func film(_ key: ArtifactKey, tenant: Int64) throws -> String? {
        let artifacts = directory.artifacts(ofTenant: tenant)
        let known = "\(artifacts)/\(key.text.prefix(2))/\(key.text)"
        if let stamp = verified[known], stamp == Stamp(ofFile: known) { return known }
        // In an empty directory in the place of the store every film is missing, and nothing may be made there.
        try directory.marker.check()
        guard let path = try DirectoryArtifactStore(directory: artifacts).localFile(for: key) else { return nil }
        if verified.count >= 10_000 { verified = [:] }
        verified[path] = Stamp(ofFile: path)
        return path
    }

    private struct Stamp: Equatable {
        var size: Int
        var inode: UInt64
        var seconds: Int
        var nanoseconds: Int

        init?(ofFile path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            size = Int(status.st_size)
            inode = UInt64(status.st_ino)
            seconds = status.st_mtim.tv_sec
            nanoseconds = status.st_mtim.tv_nsec
        }
    }
}
