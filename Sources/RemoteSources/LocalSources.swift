import ArtifactStore
import ContentHashing
import ExportPlan
import FoundationEssentials

/// Fetched sources of local exports, in a directory of this machine's cache:
///
///     assets/0/ab/abcdef...    the bytes, by sha256
///     index/<sha256>.json      what is known of an address, by the sha256 of the address
///
/// An address that is asked for again gets the file that is there, after its server was asked whether it has changed.
package struct LocalSources: Sendable {
    private let directory: FarmDirectory
    private let fetcher: RemoteFetcher

    /// What was not used for so long is removed, in seconds.
    private static let keptFor = 30 * 86_400.0

    /// - Parameter root: a directory, which is made where it is missing.
    /// - Throws: `ArtifactError` or `AssetUploadError` where it cannot be written.
    package init(_ root: String, _ policy: RemotePolicy) throws {
        directory = FarmDirectory(root)
        try directory.marker.create()
        fetcher = RemoteFetcher(policy, into: try DirectoryAssets(directory))
        removeUnused()
    }

    /// The file with the present bytes of an address.
    /// - Throws: `JobFailure` or `CancellationError`.
    package func file(of location: String) async throws -> String {
        let entry = "\(directory.root)/index/\(ContentHash.of(location.utf8)).json"
        let known = FileManager.default.contents(atPath: entry).flatMap {
            try? JSONDecoder().decode(FetchedSource.self, from: $0)  // damaged: fetched again
        }
        let found = try await fetcher.fetch(RemoteFetcher.Wanted(location, tenant: 0, known: known))
        if let content = try? JSONEncoder().encode(found) {
            // Without the entry it is fetched again the next time.
            try? FileManager.default.createDirectory(atPath: directory.root + "/index", withIntermediateDirectories: true)
            try? content.write(to: URL(fileURLWithPath: entry), options: .atomic)
        }
        return directory.asset(found.contentHash, ofTenant: 0)
    }

    /// Removes the entries that were not used for long, and the files that no entry names any more. Each use writes the
    /// entry again. Where a file cannot be removed, nothing is lost.
    private func removeUnused() {
        var named: Set<String> = []
        for name in names(directory.root + "/index") {
            let path = "\(directory.root)/index/\(name)"
            if age(of: path) > LocalSources.keptFor {
                try? FileManager.default.removeItem(atPath: path)
            } else if let content = FileManager.default.contents(atPath: path),
                let entry = try? JSONDecoder().decode(FetchedSource.self, from: content)
            {
                named.insert(entry.contentHash)
            }
        }
        let assets = directory.assets(ofTenant: 0)
        for folder in names(assets) {
            for name in names("\(assets)/\(folder)") where !named.contains(name) {
                let path = "\(assets)/\(folder)/\(name)"
                // The entry of a file that was just fetched is written after it.
                if age(of: path) > 86_400 { try? FileManager.default.removeItem(atPath: path) }
            }
        }
    }

    /// The names in a directory; none where it does not exist.
    private func names(_ directory: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    }

    /// Seconds since a file was last written; 0 where it is gone.
    private func age(of path: String) -> Double {
        let modified = (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
        return modified.map { -$0.timeIntervalSinceNow } ?? 0
    }
}
