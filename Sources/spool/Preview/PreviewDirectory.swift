import ArtifactStore
import CommandLineInterface
import FoundationEssentials
import Glibc

/// The private directory of a preview, whose files the server sends.
struct PreviewDirectory: Sendable {
    /// The directory; only this user may read it.
    let path: String
    /// The cache of the artifacts that the files are made of.
    let cache: LocalCache

    /// - Parameter cache: the cache, in whose directory of temporary files the preview's is made.
    /// - Throws: `CommandFailure`, exit code 73 or 75, where it cannot be made.
    init(in cache: LocalCache) throws {
        self.cache = cache
        let place = cache.store.directory + "/tmp"
        // A preview that was killed leaves its directory.
        ScratchFile.removeLeftoverFolders(in: place)
        path = "\(place)/.\(ScratchFile.name("preview"))"
        guard mkdir(path, 0o700) == 0 else { throw PreviewDirectory.failure(path, errno) }
        for name in ["media", "stream"] where mkdir("\(path)/\(name)", 0o700) != 0 {
            throw PreviewDirectory.failure("\(path)/\(name)", errno)
        }
    }

    /// Writes a file, which is whole whenever it is there.
    /// - Throws: `CommandFailure`, exit code 73 or 75.
    func write(_ bytes: some Collection<UInt8>, to name: String) throws {
        let (partial, whole) = ("\(path)/\(name).partial", "\(path)/\(name)")
        let file = open(partial, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw PreviewDirectory.failure(partial, errno) }
        let written = Array(bytes).withUnsafeBytes { buffer -> Int32 in
            var rest = buffer[...]
            while !rest.isEmpty {
                let count = Glibc.write(file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return errno }
                rest = rest.dropFirst(count)
            }
            return 0
        }
        close(file)
        guard written == 0 else { throw PreviewDirectory.failure(partial, written) }
        guard rename(partial, whole) == 0 else { throw PreviewDirectory.failure(whole, errno) }
    }

    /// Removes the segments that a preview does not play any more.
    /// - Parameter isPlayed: whether a file of this name is played.
    func removeSegments(unless isPlayed: (String) -> Bool) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path + "/media")) ?? []  // unreadable: none to remove
        for name in names where name.hasSuffix(".m4s") && !isPlayed(name) { unlink("\(path)/media/\(name)") }
    }

    func has(_ name: String) -> Bool { access("\(path)/\(name)", F_OK) == 0 }

    /// Removes the directory with all files, and ends the use of the cache.
    func remove() {
        try? FileManager.default.removeItem(atPath: path)  // what cannot be removed goes with the cache's other leftovers
        _ = cache.endUse()
    }

    private static func failure(_ path: String, _ code: Int32) -> CommandFailure {
        let isLasting = OutputCheck.Fault.isLasting(code)
        return CommandFailure(
            "'\(path)' cannot be written: \(String(cString: strerror(code)))"
                + (isLasting ? "; name another directory with --cache" : ""),
            status: isLasting ? ExitStatus.cannotCreate : ExitStatus.temporaryFailure)
    }
}
