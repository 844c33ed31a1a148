import ExportPlan

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The file by which a farm's machines tell the store's directory from an empty one that lies in its place, such as the mount
/// point of a file system that is away.
///
/// The coordinator makes it; workers and rendering processes only look for it and write nothing where it is missing.
public struct StoreMarker: Hashable, Sendable {
    public let file: String

    /// - Parameter file: its path.
    public init(file: String) {
        self.file = file
    }

    /// Makes sure that the store is there.
    /// - Throws: `ArtifactError` `cannotRead`, class `storage`, when it is not, or cannot be read.
    public func check() throws {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw absence(errno) }
        defer { close(descriptor) }
        var byte: UInt8 = 0
        guard read(descriptor, &byte, 1) >= 0 else { throw absence(errno) }
    }

    /// Makes sure that the store is there and can be written: writes a small file beside the marker, reads it back and removes
    /// it.
    /// - Parameter name: of the small file, unlike that of any other machine.
    /// - Throws: `ArtifactError`, class `storage`, with what is wrong.
    public func checkWriting(as name: String) throws {
        try check()
        let path = directory + "/.spool-check-" + name.map { $0.isLetter || $0.isNumber || $0 == "-" ? $0 : "_" }
        let text = Array(name.utf8)
        let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw refusal(errno) }
        defer {
            close(descriptor)
            unlink(path)
        }
        guard write(descriptor, text, text.count) == text.count, fsync(descriptor) == 0 else { throw refusal(errno) }
        var found = [UInt8](repeating: 0, count: text.count)
        guard pread(descriptor, &found, found.count, 0) == found.count, found == text else { throw absence(errno) }
    }

    /// Makes the marker, and the directory around it, where they are not there.
    /// - Throws: `ArtifactError` when it cannot be made.
    public func create() throws {
        var place = ""
        for part in directory.split(separator: "/") {
            place += (place.isEmpty && !directory.hasPrefix("/") ? "" : "/") + part
            guard mkdir(place, 0o777) == 0 || errno == EEXIST else { throw refusal(errno) }
        }
        let descriptor = open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw refusal(errno) }
        defer { close(descriptor) }
        let text = "A farm of spool keeps its files here; without this file its workers take the store for missing.\n"
        guard lseek(descriptor, 0, SEEK_END) > 0 || write(descriptor, text, text.utf8.count) == text.utf8.count else {
            throw refusal(errno)
        }
    }

    private var directory: String { String(file[..<(file.lastIndex(of: "/") ?? file.startIndex)]) }

    private func absence(_ code: Int32) -> ArtifactError {
        let reason = code == ENOENT ? "there is no '\(file)'" : String(cString: strerror(code))
        return ArtifactError(
            .cannotRead, subject: directory, message: "is not there or is not a farm's store: \(reason); is it mounted?")
    }

    private func refusal(_ code: Int32) -> ArtifactError {
        ArtifactError(.cannotWrite, subject: directory, message: "cannot be written: \(String(cString: strerror(code)))")
    }
}

extension FarmDirectory {
    /// What tells the store's directory from an empty one in its place.
    public var marker: StoreMarker { StoreMarker(file: root + "/.spool-store") }
}
