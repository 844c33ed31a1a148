import ContentHashing
public import ExportPlan

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

/// What probes found, kept on disk by path, size, modification time and inode: an unchanged file is probed once.
public struct FactsCache: Sendable {
    /// Raised when the probe finds other things in the same file.
    private static let probeVersion = 5

    private let directory: String

    public init(directory: String) {
        self.directory = directory
    }

    /// What is known of the file as it is now, or nil.
    public func facts(ofFile path: String) -> SourceFacts? {
        guard let entry = entry(path), let data = FileManager.default.contents(atPath: entry) else { return nil }
        return try? JSONDecoder().decode(SourceFacts.self, from: data)  // unreadable: probed again
    }

    /// Remembers; a cache that cannot be written is no failure.
    public func remember(_ facts: SourceFacts, ofFile path: String) {
        guard let entry = entry(path), let data = try? JSONEncoder().encode(facts) else { return }  // see above
        try? FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try? data.write(to: URL(fileURLWithPath: entry), options: .atomic)
    }

    private func entry(_ path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let identity = [
            "\(FactsCache.probeVersion)", path, "\(status.st_size)", "\(status.st_mtim.tv_sec)", "\(status.st_mtim.tv_nsec)",
            "\(status.st_ino)", "\(status.st_dev)",
        ].joined(separator: "\n")
        return "\(directory)/\(ContentHash.of(identity.utf8)).json"
    }
}
