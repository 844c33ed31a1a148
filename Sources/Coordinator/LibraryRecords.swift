#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An uploaded source.
public struct Asset: Hashable, Sendable, Codable {
    /// sha256 of its bytes; a draft names it `asset:<hash>`.
    public var hash: String
    public var byteCount: Int64
    /// What the file was called.
    public var name: String
    public var createdAt: Date

    public init(hash: String, byteCount: Int64, name: String, createdAt: Date) {
        self.hash = hash
        self.byteCount = byteCount
        self.name = name
        self.createdAt = createdAt
    }
}

/// A named draft's revision; it never changes.
public struct DraftRevision: Hashable, Sendable, Codable {
    public var name: String
    /// From 1.
    public var revision: Int
    public var createdAt: Date

    public init(name: String, revision: Int, createdAt: Date) {
        self.name = name
        self.revision = revision
        self.createdAt = createdAt
    }
}
