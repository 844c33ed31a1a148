import ArtifactStore
import FoundationEssentials
import Glibc

/// A file in a directory that films are sent to. It appears under its name when it is complete and on the disk.
struct DirectoryTarget: Sendable {
    let path: String
    private let folder: String
    private let root: String

    init(root: String, name: String) throws(PublicationFault) {
        self.root = root.hasSuffix("/") ? String(root.dropLast()) : root
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else {
            throw PublicationFault("'\(name)' cannot be the name of a file; change the template of the destination")
        }
        path = "\(self.root)/\(name)"
        folder = parts.count > 1 ? "\(self.root)/\(parts.dropLast().joined(separator: "/"))" : self.root
    }

    /// Copies a film.
    /// - Throws: `PublicationFault`.
    func copy(_ film: OpenFilm) throws {
        try create { (output) throws(PublicationFault) in
            var offset: off_t = 0
            while offset < off_t(film.byteCount) {
                // The system copies without the bytes passing through this process, where it can.
                let count = sendfile(output, film.descriptor, &offset, 64 << 20)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw fault(count < 0 ? errno : EIO) }
            }
        }
    }

    func write(_ bytes: [UInt8]) throws {
        try create { (output) throws(PublicationFault) in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Glibc.write(output, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw fault(count < 0 ? errno : EIO) }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// - Parameter fill: writes the bytes to a descriptor.
    private func create(_ fill: (Int32) throws(PublicationFault) -> Void) throws(PublicationFault) {
        var status = stat()
        // The directory itself is not created, because it may be one that is not mounted.
        guard stat(root, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw PublicationFault("the directory '\(root)' is not there; mount it, or create it")
        }
        do throws(DurableFiles.Failure) {
            try DurableFiles().makeFolder(folder)
        } catch {
            throw PublicationFault("'\(error.path)' cannot be created: \(error.reason)")
        }
        let partial = PartialFile(of: path)
        partial.removeLeftovers()
        defer { partial.remove() }
        let output = open(partial.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard output >= 0 else { throw fault(errno) }
        defer { close(output) }
        try fill(output)
        do throws(OutputCheck.Fault) {
            try partial.complete()
        } catch {
            throw PublicationFault("'\(path)' cannot be written: \(error)")
        }
    }

    private func fault(_ code: Int32) -> PublicationFault {
        PublicationFault("'\(path)' cannot be written: \(String(cString: strerror(code)))")
    }
}
