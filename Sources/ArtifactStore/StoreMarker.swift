import ExportPlan
import Glibc

/// The marker file of a farm's store. It distinguishes the store's directory from an empty directory in its place, such
/// as the mount point of a file system that is away, and from the store of another farm.
///
/// The coordinator creates it and writes the farm's id into it. Workers and rendering processes only look for it and
/// write nothing where it is missing.
package struct StoreMarker: Hashable, Sendable {
    package let file: String
    /// The id of the farm that the store has to belong to; nil where any farm will do.
    package var farm: String?

    /// - Parameter file: the path of the marker file.
    package init(file: String, farm: String? = nil) {
        self.file = file
        self.farm = farm
    }

    /// The number of bytes that are read; the marker has only a few lines.
    private static let readLimit = 4096

    /// Checks that the store exists and belongs to `farm`.
    /// - Throws: `ArtifactError` `cannotRead`, class `storage`, when it does not, or cannot be read.
    package func check() throws {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw absence(errno) }
        defer { close(descriptor) }
        let found = try identity(in: descriptor)
        if let farm, found != farm { throw ArtifactError(.cannotRead, subject: directory, message: otherFarm(found, farm)) }
    }

    /// Checks that the store exists and can be written, by writing a small file beside the marker, reading it back and
    /// removing it.
    /// - Parameter name: the name of the small file, which no other machine uses.
    /// - Throws: `ArtifactError`, class `storage`, with the reason.
    package func checkWriting(as name: String) throws {
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

    /// Creates the marker and its directory where they do not exist, and assigns the store to `farm` unless it belongs
    /// to another farm.
    /// - Throws: `ArtifactError` when the marker cannot be created, or the store belongs to another farm.
    package func create() throws {
        var place = ""
        for part in directory.split(separator: "/") {
            place += (place.isEmpty && !directory.hasPrefix("/") ? "" : "/") + part
            guard mkdir(place, 0o777) == 0 || errno == EEXIST else { throw refusal(errno) }
        }
        let descriptor = open(file, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw refusal(errno) }
        defer { close(descriptor) }
        var text = ""
        if lseek(descriptor, 0, SEEK_END) == 0 {
            text = "A farm of spool keeps its files here; without this file its workers take the store for missing.\n"
        }
        if let farm {
            let found = try identity(in: descriptor)
            if let found, found != farm {
                throw ArtifactError(.cannotWrite, subject: directory, message: otherFarm(found, farm))
            }
            if found == nil { text += StoreMarker.label + farm + "\n" }
        }
        guard text.isEmpty || write(descriptor, text, text.utf8.count) == text.utf8.count && fsync(descriptor) == 0 else {
            throw refusal(errno)
        }
    }

    /// Assigns a store that exists to `farm`, unless it belongs to another farm. Nothing is created.
    /// - Returns: why the store cannot be used now, as a sentence; nil where it can.
    /// - Throws: `ArtifactError` when the store belongs to another farm.
    package func assign() throws -> String? {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return absence(errno).description }
        defer { close(descriptor) }
        guard let farm else { return nil }
        do {
            switch try identity(in: descriptor) {
            case farm: return nil
            case nil: try create()
            case let found?: throw ArtifactError(.cannotWrite, subject: directory, message: otherFarm(found, farm))
            }
        } catch let error as ArtifactError where error.code == .cannotRead {
            return error.description
        }
        return nil
    }

    /// The beginning of the line with the farm's id.
    private static let label = "farm: "

    /// The id of the farm that the marker names; nil where it names none, as in earlier versions.
    private func identity(in descriptor: Int32) throws -> String? {
        var bytes = [UInt8](repeating: 0, count: StoreMarker.readLimit)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count >= 0 else { throw absence(errno) }
        let lines = String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n")
        return lines.first { $0.hasPrefix(StoreMarker.label) }.map { String($0.dropFirst(StoreMarker.label.count)) }
    }

    private var directory: String { String(file[..<(file.lastIndex(of: "/") ?? file.startIndex)]) }

    private func otherFarm(_ found: String?, _ farm: String) -> String {
        let owner = found.map { "is the store of farm \($0)" } ?? "names no farm in '\(file)'"
        return "\(owner), and the database is farm \(farm); name the farm's own directory with --store, or remove '\(file)', "
            + "call 'spool migrate --new-store' and start the coordinator to give this one to the farm"
    }

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
    /// The marker file of the farm's store.
    package var marker: StoreMarker { StoreMarker(file: root + "/.spool-store", farm: farm) }
}
