import ArtifactStore
import ContentHashing
import ExportPlan

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Finds the files behind the locations in a ticket, on this machine.
struct SourceLocator: Sendable {
    let directory: FarmDirectory
    let allowedDirectories: [String]

    /// The file of an uploaded asset, or of a path inside the allowed directories.
    /// - Throws: `JobFailure`, class `input`, when it is not there or not allowed.
    func path(of location: String, tenant: Int64) throws -> String {
        // The rendering process finds it: it knows which of several files is meant.
        if PluginLocation.name(of: location) != nil { return location }
        if let hash = AssetLocation.hash(of: location) {
            guard hash.utf8.count == 64, hash.allSatisfy({ $0.isHexDigit && !$0.isUppercase }) else {
                throw JobFailure(.input, subject: location, message: "is not the name of an asset: asset:<sha256>")
            }
            let file = directory.asset(hash, ofTenant: tenant)
            guard FileManager.default.fileExists(atPath: file) else {
                throw JobFailure(.input, subject: location, message: "is no longer there; upload it again")
            }
            return file
        }
        let file = URL(fileURLWithPath: location).standardizedFileURL.resolvingSymlinksInPath().path
        let isAllowed = allowedDirectories.contains { directory in
            let allowed = URL(fileURLWithPath: directory).standardizedFileURL.resolvingSymlinksInPath().path
            return file.hasPrefix(allowed.hasSuffix("/") ? allowed : allowed + "/")
        }
        guard location.hasPrefix("/"), isAllowed else {
            throw JobFailure(.input, subject: location, message: "lies outside the directories that this worker may read")
        }
        guard FileManager.default.fileExists(atPath: file) else {
            throw JobFailure(.input, subject: location, message: "does not exist")
        }
        if let complaint = FileKind.complaint(about: file) {
            throw JobFailure(.input, subject: location, message: complaint)
        }
        return file
    }
}
