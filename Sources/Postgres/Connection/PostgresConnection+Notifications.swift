import CPostgres
import Glibc

/// A message that a session sent to all sessions that listen to a channel.
package struct PostgresNotification: Sendable, Equatable {
    package let channel: String
    /// At most 8000 bytes, often empty.
    package let payload: String
    /// The server's process that sent it (`pg_backend_pid()` of the sender).
    package let sender: Int32
}

extension PostgresConnection {
    /// Waits for notifications on the channels that this connection listens to. Notifications that arrived during other
    /// calls count, too.
    /// - Returns: at least one notification.
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
                    throw PostgresError(.connectionLost, "the connection for notifications broke: \(session.message)")
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
