import ArtifactStore
import ExportPlan
import Media

/// The sources of one job, open from its first look at them to its last. What is made of them is kept only if they are then what
/// they were when they were probed.
final class JobSources {
    /// By content hash, each with its open file.
    let byHash: [String: SourceReference]
    /// What was wrong inside them and was played over.
    let damage = DamageLog()
    private let files: [SourceFile]

    /// - Throws: `MediaError`: see `SourceFile`; `changed` where a file is not the one that was probed.
    init(_ sources: [SourceReference]) throws(MediaError) {
        var opened: [SourceReference] = []
        var files: [SourceFile] = []
        for source in sources {
            var source = source
            // A plug-in's location is no file, and a request for fonts has many, which come as sources of their own.
            if source.facts.plugin == nil, source.facts.fonts == nil {
                let file = try SourceFile(path: source.path)
                if let known = source.facts.identity { try file.checkIs(known) }
                source.descriptor = file.descriptor
                files.append(file)
            }
            opened.append(source)
        }
        byHash = Dictionary(opened.map { ($0.facts.contentHash, $0) }, uniquingKeysWith: { first, _ in first })
        self.files = files
    }

    /// - Throws: `MediaError` `changed` where a file is no longer what it was when the job began.
    func checkUnchanged() throws(MediaError) {
        for file in files { try file.checkUnchanged() }
    }
}

/// A file that is becoming an artifact: taken into the store when it is complete, else removed.
/// - Parameters:
///   - sources: what it is made from. If one of them has changed meanwhile, nothing is stored.
///   - inherited: what was concealed while its parts were made.
/// - Returns: what has been concealed in all, as the store keeps it.
/// - Throws: `MediaError` `changed`, `ArtifactError`, and what `write` throws.
@discardableResult
func writeArtifact(
    _ key: ArtifactKey, into store: any ArtifactStore, from sources: JobSources? = nil,
    inheriting inherited: [SourceWarning] = [],
    _ write: (String) throws -> Void
) throws -> [SourceWarning] {
    let path = try store.temporaryFile(for: key)
    do {
        try write(path)
        try sources?.checkUnchanged()
    } catch {
        removeFile(path)
        throw error
    }
    var found: [SourceWarning] = inherited
    if let sources { found += sources.damage.warnings }
    let warnings: [SourceWarning] = found.combined
    try store.put(path, for: key, warnings: warnings)
    return warnings
}

extension ArtifactStore {
    /// What was concealed while these artifacts were made.
    /// - Throws: `ArtifactError` when the store cannot be read.
    func warnings(ofAll keys: [ArtifactKey]) throws -> [SourceWarning] {
        var found: [SourceWarning] = []
        for key in Set(keys) { found += try warnings(of: key) }
        return found.combined
    }
}
