/// A request to a store by the interface of S3, for which `BlobStore.address` makes an address that carries its signature.
package struct BlobRequest: Hashable, Sendable {
    /// The method of HTTP, such as `GET`; no other works with the address.
    package var method: String
    /// The blob; nil for the store itself, as lists need it.
    package var name: BlobName?
    /// Names and values of the query, not escaped.
    package var query: [String: String]
    /// The headers whose names begin with `x-amz-`, in small letters. The request has to have them.
    package var headers: [String: String]

    package init(
        _ method: String, _ name: BlobName?, query: [String: String] = [:], headers: [String: String] = [:]
    ) {
        self.method = method
        self.name = name
        self.query = query
        self.headers = headers
    }
}
