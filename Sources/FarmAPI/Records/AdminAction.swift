package import FoundationEssentials

/// A change that an operator made over the API, or tried to make.
package struct AdminAction: Hashable, Sendable, Codable {
    package var id: Int64
    package var at: Date
    /// The number of the token of the request.
    package var token: Int64
    /// The tenant of that token.
    package var tenant: Int64
    /// The client's address as limits count it.
    package var address: String?
    /// The operation by its name in the API's description, such as `createToken`.
    package var operation: String
    package var path: String
    /// The beginning of the request's body.
    package var body: String
    /// The status of the answer; nil while the request is carried out, and where the coordinator died with it.
    package var status: Int?

    /// How many characters of a body are kept.
    package static let bodyLimit = 4096

    package init(
        id: Int64, at: Date, token: Int64, tenant: Int64, address: String?, operation: String, path: String, body: String,
        status: Int? = nil
    ) {
        self.id = id
        self.at = at
        self.token = token
        self.tenant = tenant
        self.address = address
        self.operation = operation
        self.path = path
        self.body = body
        self.status = status
    }
}
