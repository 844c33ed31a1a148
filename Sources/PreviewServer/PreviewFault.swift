/// The error of a request that is not carried out. The client gets its message as plain text.
struct PreviewFault: Error, Hashable, Sendable {
    /// The reasons, with their statuses of HTTP.
    enum Code: Int, Sendable {
        case badRequest = 400
        /// The request has neither the cookie nor the token.
        case unauthorized = 401
        /// The request was sent to another host's name, or by another site's page.
        case forbidden = 403
        case notFound = 404
        case internalError = 500
        /// The engine cannot make the file.
        case failed = 502
        /// The engine has not come so far.
        case notReady = 503
        /// The file did not come in time.
        case late = 504
    }

    var code: Code
    /// Says what is wrong, and what a person can do about it.
    var message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The number of seconds after which the same request may succeed; nil where waiting does not help.
    var retryAfter: Int? { code == .notReady || code == .late ? 1 : nil }
}
