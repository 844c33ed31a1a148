/// Bytes of a file that a blob of the same store has as well, so that an upload of the file need not send them.
package struct SharedBytes: Hashable, Sendable {
    /// Equal bytes of the file and of the blob.
    package struct Run: Hashable, Sendable {
        /// Their place in the file, not empty.
        package var range: Range<Int64>
        /// Their offset in the blob.
        package var offset: Int64

        package init(range: Range<Int64>, offset: Int64) {
            self.range = range
            self.offset = offset
        }
    }

    package var blob: BlobName
    /// The version of the blob (`BlobInfo.version`) that has the bytes. Nothing is taken from another one.
    package var version: String
    /// In the file's order, without overlaps.
    package var runs: [Run]

    package init(blob: BlobName, version: String, runs: [Run]) {
        self.blob = blob
        self.version = version
        self.runs = runs
    }
}
