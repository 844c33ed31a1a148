/// What is known of a source since it was fetched: its bytes, and how its server is asked whether they have changed.
package struct FetchedSource: Hashable, Sendable, Codable {
    /// sha256 of the bytes.
    package var contentHash: String
    package var byteCount: Int64
    /// The server's entity tag, as it was sent; nil where there was none.
    package var etag: String?
    /// The server's `Last-Modified`, as it was sent.
    package var lastModified: String?

    package init(contentHash: String, byteCount: Int64, etag: String? = nil, lastModified: String? = nil) {
        self.contentHash = contentHash
        self.byteCount = byteCount
        self.etag = etag
        self.lastModified = lastModified
    }

    /// Whether the server can be asked whether the bytes have changed.
    package var canBeChecked: Bool { etag != nil || lastModified != nil }
}
