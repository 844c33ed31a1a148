import ArtifactStore
import ExportPlan
import Media

/// The sources of one job, whose files stay open from the job's start to its end. The job's results are kept only if
/// the files are unchanged since they were probed.
final class JobSources {
    /// The sources by content hash, each with its open file.
    let byHash: [String: SourceReference]
    /// The damage inside the sources that was concealed.
    let damage = DamageLog()
    /// The most threads that decode one of them.
    let decoderThreads: Int
    private let files: [SourceFile]

    /// - Throws: `MediaError` of `SourceFile`, and `changed` where a file is not the one that was probed.
    init(_ sources: [SourceReference], decoderThreads: Int = 1) throws(MediaError) {
        self.decoderThreads = decoderThreads
        var opened: [SourceReference] = []
        var files: [SourceFile] = []
        for source in sources {
            var source = source
            // A plug-in's location is not a file, and a font request has many files, which are sources of their own.
            if source.facts.plugin == nil, source.facts.fonts == nil {
                let file = try SourceFile(path: source.path)
                if let known = source.facts.identity { try file.checkIs(known) }
                source.descriptor = file.descriptor
                files.append(file)
            }
            opened.append(source)
        }
        byHash = Dictionary(opened.map { ($0.facts.name, $0) }, uniquingKeysWith: { first, _ in first })
        self.files = files
    }

    /// - Throws: `MediaError` `changed` where a file has changed since the job began.
    func checkUnchanged() throws(MediaError) {
        for file in files { try file.checkUnchanged() }
    }
}

/// Writes an artifact to a temporary file and moves it into the store when it is complete; otherwise the file is
/// removed.
/// - Parameters:
///   - sources: the sources that it is made from. If one of them has changed meanwhile, nothing is stored.
///   - inherited: warnings about damage that was concealed while its parts were made.
/// - Returns: all warnings, as the store keeps them.
/// - Throws: `MediaError` `changed`, `ArtifactError`, and the errors of `write`.
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
    /// The warnings about damage that was concealed while these artifacts were made.
    /// - Throws: `ArtifactError` when the store cannot be read.
    func warnings(ofAll keys: [ArtifactKey]) throws -> [SourceWarning] {
        var found: [SourceWarning] = []
        for key in Set(keys) { found += try warnings(of: key) }
        return found.combined
    }
}
