package import FarmAPI

/// An export that is to be accepted.
package struct NewExport: Hashable, Sendable {
    package var request: ExportRequest
    package var id: ExportID
    package var tenant: Int64
    package var idempotency: Idempotency?

    /// What tells a client's second try of the same request from another request.
    package struct Idempotency: Hashable, Sendable {
        /// The client's key; each tenant has its own.
        package var key: String
        /// The sha256 of the request.
        package var bodyHash: String

        package init(key: String, bodyHash: String) {
            self.key = key
            self.bodyHash = bodyHash
        }
    }

    /// - Parameters:
    ///   - id: the id that the export gets.
    ///   - idempotency: nil where the request is always a new one.
    package init(_ request: ExportRequest, id: ExportID, tenant: Int64, idempotency: Idempotency?) {
        self.request = request
        self.id = id
        self.tenant = tenant
        self.idempotency = idempotency
    }
}
