package import FoundationEssentials

/// An uploaded source.
package struct Asset: Hashable, Sendable, Codable {
    /// sha256 of its bytes; a draft names it `asset:<hash>`.
    package var hash: String
    package var byteCount: Int64
    /// The name of the uploaded file.
    package var name: String
    package var createdAt: Date

    package init(hash: String, byteCount: Int64, name: String, createdAt: Date) {
        self.hash = hash
        self.byteCount = byteCount
        self.name = name
        self.createdAt = createdAt
    }
}

/// A revision of a named draft with what became of it.
package struct DraftRevisionReport: Hashable, Sendable, Codable {
    /// How many exports are named at most.
    package static let namedExports = 10

    package var name: String
    /// From 1.
    package var revision: Int
    package var createdAt: Date
    /// The bytes of the document.
    package var byteCount: Int64
    /// The number of exports that were made of it and are still listed.
    package var exportCount: Int
    /// The newest of these exports, the newest first.
    package var newestExports: [ExportID]

    package init(
        name: String, revision: Int, createdAt: Date, byteCount: Int64, exportCount: Int, newestExports: [ExportID]
    ) {
        self.name = name
        self.revision = revision
        self.createdAt = createdAt
        self.byteCount = byteCount
        self.exportCount = exportCount
        self.newestExports = newestExports
    }
}

/// A revision of a named draft; it never changes.
package struct DraftRevision: Hashable, Sendable, Codable {
    package var name: String
    /// From 1.
    package var revision: Int
    package var createdAt: Date

    package init(name: String, revision: Int, createdAt: Date) {
        self.name = name
        self.revision = revision
        self.createdAt = createdAt
    }
}
