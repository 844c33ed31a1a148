import ArtifactStore
import ContentHashing
import ExportPlan

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Finds the files behind the locations in a ticket, on this machine.
///
/// A file that is missing is the draft's fault only where the directory around it is there; otherwise the storage is away, and
/// the job waits.
struct SourceLocator: Sendable {
    let directory: FarmDirectory
    let allowedDirectories: [String]

    /// The file of an uploaded asset, or of a path inside the allowed directories.
    /// - Throws: `JobFailure`, class `input`, when it is not there or not allowed; class `storage` when that cannot be said,
    ///   because the directory that it should be in is away or cannot be read.
    func path(of location: String, tenant: Int64) throws -> String {
        // The rendering process finds it: it knows which of several files is meant.
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
        let file = resolved(location)
        let around = allowedDirectories.first { directory in
            let allowed = resolved(directory)
            return file.hasPrefix(allowed.hasSuffix("/") ? allowed : allowed + "/")
        }
        guard location.hasPrefix("/"), let around else {
            throw JobFailure(.input, subject: location, message: "lies outside the directories that this worker may read")
        }
        guard try isThere(file, for: location, within: { try checkCanBeListed(around) }) else {
            throw JobFailure(.input, subject: location, message: "does not exist")
        }
        if let complaint = FileKind.complaint(about: file) {
            throw JobFailure(.input, subject: location, message: complaint)
        }
        return file
    }

    private func resolved(_ path: String) -> String {
        URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
    }

    /// Whether a file is there.
    /// - Parameter check: throws where the storage that the file should be on is away.
    /// - Throws: what `check` throws, or `JobFailure`, class `storage`, when it cannot be said.
    private func isThere(_ file: String, for location: String, within check: () throws -> Void) throws -> Bool {
        if try isThere(file, for: location) { return true }
        try check()
        // The storage may have come back between the two.
        return try isThere(file, for: location)
    }

    private func isThere(_ file: String, for location: String) throws -> Bool {
        var status = stat()
        if stat(file, &status) == 0 { return true }
        // A path may go through what is a file, or be too long: then there is nothing.
        if [ENOENT, ENOTDIR, ENAMETOOLONG, ELOOP].contains(errno) { return false }
        throw JobFailure(.storage, subject: location, message: "cannot be looked at: \(String(cString: strerror(errno)))")
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
