import ExportPlan

/// The names of a farm's blobs: the paths that they have in a `FarmDirectory`.
enum StoreNames {
    /// Names the farm that the store belongs to, as the marker file of a directory does.
    static func farm() throws(BlobError) -> BlobName { try name("farm") }

    static func artifact(_ key: ArtifactKey, ofTenant tenant: Int64) throws(BlobError) -> BlobName {
        try name("tenants/\(tenant)/\(key.text.prefix(2))/\(key.text)")
    }

    /// The record of an artifact (`ArtifactRecord`).
    static func record(of key: ArtifactKey, ofTenant tenant: Int64) throws(BlobError) -> BlobName {
        try name("tenants/\(tenant)/\(key.text.prefix(2))/\(key.text)\(recordEnd)")
    }

    /// The note of the film (`FilmNote`) of which this segment has the smallest key.
    static func note(beside segment: ArtifactKey, ofTenant tenant: Int64) throws(BlobError) -> BlobName {
        try name("tenants/\(tenant)/\(segment.text.prefix(2))/\(segment.text)\(noteEnd)")
    }

    /// The ends of the names of records and notes, after the name of their artifact.
    static let recordEnd = ".sum"
    static let noteEnd = ".film"
    /// Both, the records first.
    static let ends = [recordEnd, noteEnd]

    static func asset(_ hash: String, ofTenant tenant: Int64) throws(BlobError) -> BlobName {
        try name("assets/\(tenant)/\(hash.prefix(2))/\(hash)")
    }

    private static func name(_ text: String) throws(BlobError) -> BlobName {
        guard let name = BlobName(text) else {
            throw BlobError(.refused, subject: text, message: "cannot be the name of a file of a farm")
        }
        return name
    }
}
