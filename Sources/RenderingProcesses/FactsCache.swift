import ContentHashing
package import ExportPlan
import FoundationEssentials

/// Probe results on disk, by path, size, modification time and inode, so that an unchanged file is probed only once.
package struct FactsCache: Sendable {
    /// The version of the probe, raised when it finds out different facts about the same file. Facts of another
    /// `FactsVersion` are not read in any case.
    private static let probeVersion = 7

    private let directory: String

    package init(directory: String) {
        self.directory = directory
    }

    /// The facts of the file in its present state, or nil.
    package func facts(ofFile path: String) -> SourceFacts? {
        guard let identity = FileIdentity(ofFile: path) else { return nil }
        let entry = entry(path, identity)
        guard let data = FileManager.default.contents(atPath: entry) else { return nil }  // unreadable: probed again
        guard let facts = try? JSONDecoder().decode(SourceFacts.self, from: data), facts.identity == identity else {
            return nil  // damaged: probed again
        }
        return facts
    }

    /// Stores facts under the identity that the file had when it was probed, because it may have changed since. A cache
    /// that cannot be written is not an error.
    package func remember(_ facts: SourceFacts, ofFile path: String) {
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
