import ContentHashing
import ExportPlan
import FarmAPI
import FoundationEssentials

/// A source reference as the key of a cache.
///
/// Two are equal only where everything is, and that is cheap: the tickets of an export get their references from the
/// coordinator's `ReferenceCache`, and arrays that share their memory are equal without a look at their elements. The
/// hash is of the source's name alone, because hashing megabytes of facts for each ticket would cost more than it saves.
struct ReferenceIdentity: Hashable, Sendable {
    let reference: SourceReference

    func hash(into hasher: inout Hasher) {
        hasher.combine(reference.facts.contentHash)
        hasher.combine(reference.path)
    }
}

/// A source reference as Redis has it, and the sha256 of its bytes. Equal references have equal bytes, in whatever
/// process they are encoded.
struct EncodedReference {
    let digest: String
    let bytes: [UInt8]

    init(_ reference: SourceReference) throws {
        bytes = [UInt8](try FarmJSON.encode(reference))
        digest = ContentHash.of(bytes)
    }
}

/// The references that the tickets of one `send` name. Each is encoded once, and not at all where its digest is known
/// from an earlier `send` and Redis still has it.
struct SentSources {
    struct Source {
        let digest: String
        let reference: SourceReference
        /// The encoded reference, where it was encoded to find its digest.
        let bytes: [UInt8]?
    }

    /// All of them, in the order in which they were first named.
    private(set) var all: [Source] = []
    private var digests: [ReferenceIdentity: String] = [:]

    /// Names a reference.
    /// - Parameter known: the digests that are known from earlier calls; a new one is added.
    /// - Returns: the reference's digest.
    mutating func name(
        _ reference: SourceReference, _ known: inout RecentValues<ReferenceIdentity, String>
    ) throws -> String {
        let identity = ReferenceIdentity(reference: reference)
        if let digest = digests[identity] { return digest }
        let source: Source
        if let digest = known.value(of: identity) {
            source = Source(digest: digest, reference: reference, bytes: nil)
        } else {
            let encoded = try EncodedReference(reference)
            source = Source(digest: encoded.digest, reference: reference, bytes: encoded.bytes)
            known.add(encoded.digest, as: identity, byteCount: encoded.bytes.count)
        }
        digests[identity] = source.digest
        all.append(source)
        return source.digest
    }
}

extension SentSources.Source {
    /// The encoded reference.
    func encoded() throws -> [UInt8] { try bytes ?? EncodedReference(reference).bytes }
}
