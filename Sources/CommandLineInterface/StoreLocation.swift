package import ArtifactStore
import ExportPlan
package import LocalFarm
import S3Store
import FoundationEssentials
import Glibc

/// The farm's store, as the settings of one of its processes name it.
package enum StoreLocation: Sendable {
    /// A directory that all machines of the farm share.
    case directory(String)
    /// A bucket, with this machine's copies of its files.
    case bucket(MirroredStore)

    /// The directory in which this machine finds the store's files.
    package var directory: String {
        switch self {
        case .directory(let path): path
        case .bucket(let store): store.directory.root
        }
    }

    /// The bucket; nil for a directory.
    package var mirror: MirroredStore? { if case .bucket(let store) = self { store } else { nil } }

    /// Reads the settings. The bucket itself is not asked for anything, and its keys come from the environment, as Amazon's
    /// tools read them.
    /// - Throws: `FarmSettings.Fault`.
    package init(_ settings: FarmSettings) throws {
        let address = try settings.text(.store)
        guard address.hasPrefix("s3://") else {
            self = .directory(address)
            return
        }
        let (endpoint, style) = (try settings.text(.storeEndpoint), try settings.text(.storeStyle))
        guard style.isEmpty || S3Settings.Style(rawValue: style) != nil else {
            throw FarmSettings.Fault(lines: ["storeStyle is path or virtualHost, not '\(style)'"])
        }
        guard let limit = try settings.size(.storeCacheSize) else {
            throw FarmSettings.Fault(lines: ["storeCacheSize has to be a number of bytes, such as 50GB"])
        }
        let environment = ProcessInfo.processInfo.environment
        do {
            let bucket = try S3Settings(
                address, region: try settings.text(.storeRegion), endpoint: endpoint.isEmpty ? nil : endpoint,
                style: S3Settings.Style(rawValue: style))
            let blobs = S3Blobs(bucket, try S3CredentialSource(environment: environment, region: bucket.region))
            let cache = try settings.text(.storeCache)
            self = .bucket(
                try MirroredStore(
                    blobs, address: bucket.description,
                    directory: FarmDirectory(cache.isEmpty ? StoreLocation.cache(environment) : cache), limit: limit))
        } catch let error as any ClassifiedError {
            throw FarmSettings.Fault(lines: ["'\(error.subject)' \(error.message)"])
        }
    }

    /// The directory for copies where no setting names one. Rendering processes that root starts run as another user, who
    /// cannot reach root's own directories.
    private static func cache(_ environment: [String: String]) -> String {
        if getuid() == 0 { return "/var/cache/spool/store" }
        let caches = environment["XDG_CACHE_HOME"] ?? (environment["HOME"] ?? "/tmp") + "/.cache"
        return caches + "/spool/store"
    }
}
