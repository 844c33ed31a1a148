package import Redis

/// An error of the server behind the queue, for a caller that does not know which server that is.
package protocol QueueServerError: Error {
    /// Whether the server is away, slow or full, so that the same request may succeed later.
    var isOutage: Bool { get }
}

extension RedisError: QueueServerError {
    package var isOutage: Bool {
        switch code {
        case .connectionFailed, .connectionLost, .timeout, .authentication, .noPermission, .notReady, .readOnly, .outOfMemory:
            true
        case .wrongType, .noGroup, .busyGroup, .noScript, .conflict, .server, .unexpectedReply, .invalidConfiguration: false
        }
    }
}
