import ContentHashing
public import ExportPlan

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
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
        guard let identity = FileIdentity(ofFile: path) else { return nil }
        let entry = entry(path, identity)
        guard let data = FileManager.default.contents(atPath: entry) else { return nil }  // unreadable: probed again
        guard let facts = try? JSONDecoder().decode(SourceFacts.self, from: data), facts.identity == identity else {
            return nil  // damaged: probed again
        }
        return facts
    }

    /// Remembers, by the identity that the file had when it was probed: it may have changed since. A cache that cannot be written is
    /// no failure.
    public func remember(_ facts: SourceFacts, ofFile path: String) {
        guard let identity = facts.identity, let data = try? JSONEncoder().encode(facts) else { return }  // see above
        try? FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try? data.write(to: URL(fileURLWithPath: entry(path, identity)), options: .atomic)
    }

    private func entry(_ path: String, _ identity: FileIdentity) -> String {
        let name = [
            "\(FactsCache.probeVersion)", path, "\(identity.byteCount)", "\(identity.modified)", "\(identity.inode)",
            identity.machine,
        ].joined(separator: "\n")
        return "\(directory)/\(ContentHash.of(name.utf8)).json"
    }
}
