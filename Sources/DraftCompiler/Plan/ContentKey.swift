import ContentHashing
import ExportPlan
import FoundationEssentials

/// The key of an artifact: the sha256 of the renderer's version, the kind of job, and the job's whole content as JSON
/// with sorted keys. The content names sources by their content hashes.
func contentKey(_ kind: String, _ content: some Encodable) -> ArtifactKey {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var bytes = Data("spool \(rendererVersion) \(kind)\n".utf8)
    do {
        bytes.append(try encoder.encode(content))
    } catch {
        // Encoding fails only for numbers that JSON cannot write, such as NaN. Validation rejects those.
        preconditionFailure("a plan value cannot be encoded: \(error)")
    }
    return ArtifactKey(ContentHash.of(bytes))
}
