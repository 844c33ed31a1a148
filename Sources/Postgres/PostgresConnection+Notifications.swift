import CPostgres

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What somebody told everybody who listens to a channel.
public struct PostgresNotification: Sendable, Equatable {
    public let channel: String
    /// At most 8000 bytes, often empty.
    public let payload: String
    /// The server's process that sent it (`pg_backend_pid()` of the sender).
    public let sender: Int32
}

extension PostgresConnection {
    /// Waits for notifications on the channels that this connection listens to; those that came during other calls count.
    /// - Returns: at least one.
    /// - Throws: `PostgresError` (`connectionLost`), or `CancellationError`.
    func notifications() async throws -> [PostgresNotification] {
        try await interruptibly { interruption in
            let session = try usableSession(for: "LISTEN", in: nil)
            while true {
                let arrived = session.takeNotifications()
                if !arrived.isEmpty { return arrived }
                if interruption.isRequested { throw CancellationError() }
                if session.wait(POLLIN, until: nil) != 0, PQconsumeInput(session.pointer) == 0 {
                    drop()
                    throw PostgresError(.connectionLost, "the connection that listens broke: \(session.message)")
                }
            }
        }
    }
}

extension LibpqSession {
    fileprivate func takeNotifications() -> [PostgresNotification] {
        var arrived: [PostgresNotification] = []
        while let notification = PQnotifies(pointer) {
            defer { PQfreemem(notification) }
            arrived.append(
                PostgresNotification(
                    channel: LibpqText.string(notification.pointee.relname) ?? "",
                    payload: LibpqText.string(notification.pointee.extra) ?? "", sender: notification.pointee.be_pid))
        }
        return arrived
    }
}
