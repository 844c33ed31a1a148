import ArtifactStore
import ContentHashing
import ExportPlan
import Glibc

/// Finds the files behind the locations in a ticket, on this machine.
///
/// A missing file is the draft's fault only where the directory around it exists. Otherwise the storage is away, and
/// the job waits.
struct SourceLocator: Sendable {
    let directory: FarmDirectory
    let allowedDirectories: AllowedDirectories

    /// The file of an uploaded asset, or of a path inside the allowed directories.
    /// - Throws: `JobFailure`: class `input` when the file is missing or not allowed; class `storage` when that cannot
    ///   be decided, because the directory that should hold it is away or cannot be read.
    func path(of location: String, tenant: Int64) throws -> String {
        // The rendering process finds the file of a plug-in, because it knows which of several files is meant.
        if PluginLocation.name(of: location) != nil { return location }
        if let hash = AssetLocation.hash(of: location) {
            guard hash.utf8.count == 64, hash.allSatisfy({ $0.isHexDigit && !$0.isUppercase }) else {
                throw JobFailure(.input, subject: location, message: "is not the name of an asset: asset:<sha256>")
            }
            let file = directory.asset(hash, ofTenant: tenant)
            guard try isThere(file, for: location, within: { try directory.marker.check() }) else {
                throw JobFailure(.input, subject: location, message: "is no longer there; upload it again")
            }
            return file
        }
        guard let (file, around) = allowedDirectories.file(at: location) else {
            throw JobFailure(.input, subject: location, message: "lies outside the directories that this worker may read")
        }
        // An allowed directory may contain the store; the files of tenants are none that others may name.
        guard !FarmDirectory(AllowedDirectories.resolved(directory.root)).contains(file) else {
            throw JobFailure(.input, subject: location, message: "lies in the farm's store; name an asset, asset:<sha256>")
        }
        guard try isThere(file, for: location, within: { try checkCanBeListed(around) }) else {
            throw JobFailure(.input, subject: location, message: "does not exist")
        }
        if let complaint = FileKind.complaint(about: file) {
            throw JobFailure(.input, subject: location, message: complaint)
        }
        return file
    }

    /// Whether a file exists.
    /// - Parameter check: throws where the storage that should hold the file is away.
    /// - Throws: what `check` throws, or `JobFailure`, class `storage`, when the file cannot be looked at.
    private func isThere(_ file: String, for location: String, within check: () throws -> Void) throws -> Bool {
        if try isThere(file, for: location) { return true }
        try check()
        // The storage may have come back between the two looks.
        return try isThere(file, for: location)
    }

    private func isThere(_ file: String, for location: String) throws -> Bool {
        var status = stat()
        if stat(file, &status) == 0 { return true }
        // No file can exist where a path leads through a file, is too long, or has too many symbolic links.
        if [ENOENT, ENOTDIR, ENAMETOOLONG, ELOOP].contains(errno) { return false }
        throw JobFailure(.storage, subject: location, message: "cannot be examined: \(String(cString: strerror(errno)))")
    }

    private func checkCanBeListed(_ path: String) throws {
        guard let listing = opendir(path) else {
            throw JobFailure(
                .storage, subject: path,
                message: "cannot be listed: \(String(cString: strerror(errno))); is it mounted on this machine?")
        }
        closedir(listing)
    }
}
