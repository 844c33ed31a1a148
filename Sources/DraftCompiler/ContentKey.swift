import ContentHashing
import ExportPlan

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The key of an artifact: sha256 over the renderer's version, the kind of job, and the job's whole content as JSON
/// with sorted keys. Sources stand in it as their content hashes.
func contentKey(_ kind: String, _ content: some Encodable) -> ArtifactKey {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var bytes = Data("spool \(rendererVersion) \(kind)\n".utf8)
    do {
        bytes.append(try encoder.encode(content))
    } catch {
        // Only a number that JSON cannot write (NaN) gets here, and validation lets none in.
        preconditionFailure("a plan value cannot be encoded: \(error)")
    }
    return ArtifactKey(ContentHash.of(bytes))
}
