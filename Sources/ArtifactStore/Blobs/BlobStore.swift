package import FoundationEssentials

/// A store of bytes under names. What is stored appears at once and whole, and others see either all of it or nothing.
///
/// There are two: a directory that all machines share (`DirectoryBlobs`), and a bucket of an S3 service (`S3Blobs`). The
/// same names mean the same in both, so that the files of one may be copied into the other. The same tests run on both.
///
/// Every call throws `BlobError`, or `CancellationError`. Calls of a service that is away for a moment are retried; an
/// error is final. A blob is missing only where the store itself has answered that it has no blob of this name.
package protocol BlobStore: Sendable {
    /// What the store knows about a blob; nil where it has none of this name.
    func info(of name: BlobName) async throws -> BlobInfo?

    /// The bytes of a blob as they arrive; nil where the store has none of this name.
    ///
    /// Where the connection breaks, the rest is asked for again, and the reading ends with `changed` where another blob
    /// has this name by then.
    /// - Parameter range: the offsets of the wanted bytes; nil for all. A range that ends behind the blob's end is cut
    ///   there, and one that begins behind it has no bytes.
    func read(_ name: BlobName, range: Range<Int64>?) async throws -> BlobReader?

    /// Copies a blob into a new file. A file that cannot be completed is removed.
    /// - Parameters:
    ///   - path: the path of a file that does not exist.
    ///   - sha256: the hash that the bytes must have; nil where it is not known. Bytes that do not have it are read once
    ///     more, because they may have been damaged on their way.
    /// - Returns: nil where the store has no blob of this name.
    /// - Throws: also `damaged`, and `cannotWrite` for the file.
    func download(_ name: BlobName, to path: String, sha256: String?) async throws -> BlobInfo?

    /// Stores a file.
    /// - Parameter options: a store that can copy within itself takes `shared` bytes from there; others ignore it.
    /// - Returns: false where the condition did not hold, and nothing was stored.
    /// - Throws: also `cannotRead` for the file.
    @discardableResult
    func upload(_ path: String, as name: BlobName, _ options: UploadOptions) async throws -> Bool

    /// Begins a blob whose bytes are not all known yet. `finish` or `abandon` has to be called.
    func beginUpload(as name: BlobName, _ options: UploadOptions) async throws -> any BlobUpload

    /// Copies a blob within the store, if possible without its bytes passing through this machine. A blob of the other
    /// name is replaced.
    /// - Returns: false where the store has no blob `name`.
    func copy(_ name: BlobName, to other: BlobName) async throws -> Bool

    /// Removes blobs; those that do not exist are no error.
    func remove(_ names: [BlobName]) async throws

    /// The blobs whose names begin with a prefix, in the order of the bytes of their names.
    /// - Parameters:
    ///   - prefix: the beginning of names, which may end within a part; empty for all.
    ///   - after: only blobs with greater names: the last one of the page before.
    ///   - limit: the greatest number of blobs, 1...1000.
    func list(_ prefix: String, after: BlobName?, limit: Int) async throws -> [BlobListing]

    /// Removes what uploads have left behind that were begun some time ago and never ended.
    /// - Returns: how many uploads that were.
    func removeLeftovers(olderThan age: Duration) async throws -> Int

    /// An address with which others may send one request without credentials of their own; nil where the store has no
    /// addresses.
    /// - Parameter lifetime: how long the address is valid, 1 s...7 days; no longer than temporary credentials.
    func address(of request: BlobRequest, lifetime: Duration) async throws -> String?
}

/// What is known about a blob.
package struct BlobInfo: Hashable, Sendable {
    package var byteCount: Int64
    /// Differs from that of any other content that the name has had.
    package var version: String
    package var storedAt: Date

    package init(byteCount: Int64, version: String, storedAt: Date) {
        self.byteCount = byteCount
        self.version = version
        self.storedAt = storedAt
    }
}

/// A blob in a list.
package struct BlobListing: Hashable, Sendable {
    package var name: BlobName
    package var info: BlobInfo

    package init(name: BlobName, info: BlobInfo) {
        self.name = name
        self.info = info
    }
}

/// How a blob is stored.
package struct UploadOptions: Hashable, Sendable {
    /// Whether a blob that has the name already is replaced. Otherwise it stays, and nothing is stored.
    package var replaces: Bool
    /// The MIME type that the store gives to those who read the blob by its address.
    package var contentType: String
    /// The value of `Cache-Control` for them; nil for none.
    package var cacheControl: String?
    /// What a service keeps with the blob and gives to them: names in small letters, and values in ASCII.
    package var metadata: [String: String]
    /// Bytes that the store has already; nil where none are known.
    package var shared: SharedBytes?

    package init(
        replaces: Bool = true, contentType: String = "application/octet-stream", cacheControl: String? = nil,
        metadata: [String: String] = [:], shared: SharedBytes? = nil
    ) {
        self.replaces = replaces
        self.contentType = contentType
        self.cacheControl = cacheControl
        self.metadata = metadata
        self.shared = shared
    }
}

/// An upload in progress.
package protocol BlobUpload: Sendable {
    /// Adds bytes at the end.
    func write(_ bytes: [UInt8]) async throws
    /// Stores the blob.
    /// - Returns: false where the condition did not hold, and nothing was stored.
    func finish() async throws -> Bool
    /// Removes what was uploaded. An error is no reason to stop: what is left is removed as a leftover.
    func abandon() async
}

/// The bytes of a blob as they arrive. It is read once, from the beginning.
package struct BlobReader: AsyncSequence, Sendable {
    package typealias Element = [UInt8]

    /// About the whole blob, also where only a range is read.
    package let info: BlobInfo
    private let next: @Sendable () async throws -> [UInt8]?

    /// - Parameter next: the next bytes, at least one; nil at the end.
    package init(_ info: BlobInfo, next: @escaping @Sendable () async throws -> [UInt8]?) {
        self.info = info
        self.next = next
    }

    package func makeAsyncIterator() -> Iterator { Iterator(nextBytes: next) }

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let nextBytes: @Sendable () async throws -> [UInt8]?

        package func next() async throws -> [UInt8]? { try await nextBytes() }
    }
}
