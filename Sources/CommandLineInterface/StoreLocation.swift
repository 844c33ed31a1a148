package import ArtifactStore
import ExportPlan
package import LocalFarm
package import S3Store
import FoundationEssentials
import Glibc

/// The farm's store, as the settings of one of its processes name it.
package enum StoreLocation: Sendable {
    /// A directory that all machines of the farm share.
    case directory(String)
    /// A bucket, with this machine's copies of its files.
    case bucket(MirroredStore, S3Blobs)

    /// The directory in which this machine finds the store's files, as an absolute path without links: rendering processes have
    /// another working directory, and in their sandbox links outside of the store do not exist.
    package var directory: String {
        switch self {
        case .directory(let path): path
        case .bucket(let store, _): store.directory.root
        }
    }

    /// The bucket; nil for a directory.
    package var mirror: MirroredStore? { if case .bucket(let store, _) = self { store } else { nil } }

    /// Reads the settings. The bucket itself is not asked for anything, and its keys come from the environment, as Amazon's
    /// tools read them.
    /// - Throws: `FarmSettings.Fault`.
    package init(_ settings: FarmSettings) throws {
        let address = try settings.text(.store)
        guard !StoreLocation.isCoordinator(address) else {
            throw FarmSettings.Fault(lines: ["store: only workers use the store of a coordinator, '\(address)'"])
        }
        guard address.hasPrefix("s3://") else {
            self = .directory(AllowedDirectories.resolved(address))
            return
        }
        let (endpoint, style) = (try settings.text(.storeEndpoint), try settings.text(.storeStyle))
        guard style.isEmpty || S3Settings.Style(rawValue: style) != nil else {
            throw FarmSettings.Fault(lines: ["storeStyle is path or virtualHost, not '\(style)'"])
        }
        do {
            let bucket = try S3Settings(
                address, region: try settings.text(.storeRegion), endpoint: endpoint.isEmpty ? nil : endpoint,
                style: S3Settings.Style(rawValue: style))
            let keys = try S3CredentialSource(environment: ProcessInfo.processInfo.environment, region: bucket.region)
            try self.init(S3Blobs(bucket, keys), settings)
        } catch let error as any ClassifiedError {
            throw FarmSettings.Fault(lines: ["'\(error.subject)' \(error.message)"])
        }
    }

    /// A bucket, with copies where the settings say.
    /// - Throws: `FarmSettings.Fault`, and `ArtifactError` or `BlobError` where the directory of the copies cannot be written.
    package init(_ blobs: S3Blobs, _ settings: FarmSettings) throws {
        let limit = try settings.boundedSize(.storeCacheSize)
        let cache = try settings.text(.storeCache)
        let directory = cache.isEmpty ? StoreLocation.cache(ProcessInfo.processInfo.environment) : cache
        let mirror = try MirroredStore(
            blobs, address: blobs.settings.description, directory: FarmDirectory(AllowedDirectories.resolved(directory)),
            limit: limit)
        self = .bucket(mirror, blobs)
    }

    /// Whether a store is that of a coordinator, which signs the requests to it.
    package static func isCoordinator(_ address: String) -> Bool {
        address.hasPrefix("http://") || address.hasPrefix("https://")
    }

    /// The directory for copies where no setting names one. Rendering processes that root starts run as another user, who
    /// cannot reach root's own directories.
    private static func cache(_ environment: [String: String]) -> String {
        if getuid() == 0 { return "/var/cache/spool/store" }
        let caches = environment["XDG_CACHE_HOME"] ?? (environment["HOME"] ?? "/tmp") + "/.cache"
        return caches + "/spool/store"
    }
}
