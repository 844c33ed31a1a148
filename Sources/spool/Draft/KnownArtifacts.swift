import ArtifactStore
import ExportPlan

/// The artifacts of a plan that are there already, so that they need not be made.
final class KnownArtifacts {
    /// The words for an artifact that is there, in the rows of a plan.
    let phrase: String
    private let find: (ArtifactKey) throws -> Bool
    private var known: [ArtifactKey: Bool] = [:]

    /// The artifacts of the cache. Each is looked up once, because that compares all its bytes with their checksum.
    init(in store: DirectoryArtifactStore) {
        phrase = "in the cache"
        find = { try store.localFile(for: $0) != nil }
    }

    /// The artifacts that the export of a plan has made, wherever they are.
    init(madeBy plan: RenderPlan) {
        phrase = "unchanged"
        let keys = Set(plan.jobs.map(\.key))
        find = keys.contains
    }

    func has(_ key: ArtifactKey) throws -> Bool {
        if let isThere = known[key] { return isThere }
        let isThere = try find(key)
        known[key] = isThere
        return isThere
    }
}
