/// The answer to a request with an `Idempotency-Key`.
package struct KeyedAnswer: Hashable, Sendable {
    package var status: Int
    package var contentType: String?
    package var location: String?
    package var body: String?
    /// Whether the answer had a secret, and is therefore not kept.
    package var isSecret: Bool

    package init(
        status: Int, contentType: String? = nil, location: String? = nil, body: String? = nil, isSecret: Bool = false
    ) {
        self.status = status
        self.contentType = contentType
        self.location = location
        self.body = body
        self.isSecret = isSecret
    }
}

/// What is known of an `Idempotency-Key` when a request with it arrives.
package enum KeyedRequest: Hashable, Sendable {
    /// Nothing: the request is to be carried out.
    case new
    /// A request with the key has begun, and has not ended.
    case underWay
    /// The key was used for another request.
    case ofAnotherRequest
    case answered(KeyedAnswer)
}

/// Requests that may be repeated without being carried out twice, by the keys that clients give them.
///
/// An answer is kept for a day. A request that was begun and whose coordinator then died counts as under way for ten
/// minutes; nobody knows whether it was carried out, and a repetition after that carries it out.
package protocol KeyedAnswerStore: Sendable {
    /// Begins a request, unless one with the same key was begun before.
    /// - Parameter hash: the sha256 of the request.
    func beginRequest(_ key: String, hash: String, tenant: Int64) async throws -> KeyedRequest
    /// Keeps the answer to a request that was begun.
    /// - Parameter answer: nil for a request that failed, which a repetition carries out.
    func endRequest(_ key: String, tenant: Int64, _ answer: KeyedAnswer?) async throws
}

enum KeyedAnswers {
    /// How long an answer is kept, in seconds.
    static let lifetime = 86_400.0
    /// How long a request counts as under way, in seconds.
    static let timeout = 600.0
    /// How many expired answers a new request removes at most.
    static let removedAtOnce = 20
}
