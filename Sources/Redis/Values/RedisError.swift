/// An error of Redis or of the connection to it: its kind, the command, and a message.
///
/// It holds the command's name, never its arguments.
package struct RedisError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure.
    package enum Code: String, Sendable, CaseIterable {
        /// No connection could be made. Nothing was sent, so a retry is safe.
        case connectionFailed
        /// The connection broke after something was sent: the command may have been executed.
        case connectionLost
        /// No answer came in time: the command may have been executed, or may still be.
        case timeout
        /// The user or the password is wrong, or missing.
        case authentication
        /// The user may not do this (NOPERM).
        case noPermission
        /// The server is starting (LOADING), or a replica without its master (MASTERDOWN).
        case notReady
        /// The server is a replica, or cannot save and refuses writes (READONLY, MISCONF).
        case readOnly
        /// The server is at `maxmemory` (OOM).
        case outOfMemory
        /// The key holds another kind of value (WRONGTYPE).
        case wrongType
        /// The stream has no such group (NOGROUP, or UNBLOCKED for a read that was waiting): the server was flushed, or the group
        /// never made.
        case noGroup
        /// The group exists already (BUSYGROUP).
        case busyGroup
        /// The server does not know the script (NOSCRIPT).
        case noScript
        /// A watched key changed, or the session that watched it was lost; nothing of the transaction was executed.
        case conflict
        /// Any other error answer.
        case server
        /// The answer has another shape than the command's answers have, or the other end is no Redis.
        case unexpectedReply
        /// The configuration cannot be used.
        case invalidConfiguration
    }

    package var code: Code
    /// The first word of the server's own error, such as `WRONGTYPE`; nil when the error is not the server's.
    package var word: String?
    /// What happened, without the command.
    package var message: String
    /// The name of the command, such as `XGROUP CREATE`; nil before there was one.
    package var command: String?

    package init(_ code: Code, _ message: String, word: String? = nil, command: String? = nil) {
        self.code = code
        self.word = word
        self.message = message
        self.command = command
    }

    /// Whether the server may have executed the command all the same.
    package var mayHaveExecuted: Bool { code == .connectionLost || code == .timeout }

    /// The error in one sentence.
    package var description: String { command.map { "\($0): \(message)" } ?? message }

    /// The same error with the name of a command, unless it already names one.
    func naming(_ command: String) -> RedisError {
        var named = self
        named.command = named.command ?? command
        return named
    }
}
