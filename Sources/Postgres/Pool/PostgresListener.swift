package import BlockingWork

/// Receives what others `NOTIFY`, on its own connection and thread, which sleep until something arrives.
///
/// A notification that is sent while there is no connection is lost. The listener therefore says when it has begun to
/// listen, and when it listens again after a break. The reader then has to look at the tables that the notifications
/// are about.
///
///     let listener = PostgresListener(configuration, channels: ["jobs"])
///     async let running: Void = listener.run()
///     for await event in listener.events { ... }
package final class PostgresListener: Sendable {
    package enum Event: Sendable, Equatable {
        /// From now on no notification is missed.
        case listening
        /// The connection broke, or another attempt to connect failed. The listener goes on by itself.
        case disconnected(PostgresError)
        /// From now on no notification is missed again; those that were sent since `disconnected` are lost.
        case reconnected
        case notification(PostgresNotification)
    }

    /// The events, in order, for one reader. They are kept until they are read; the stream ends with `run`.
    package let events: AsyncStream<Event>

    private let configuration: PostgresConfiguration
    private let channels: [String]
    private let backoff: Backoff
    private let clock: any Clock<Duration>
    private let output: AsyncStream<Event>.Continuation

    /// - Parameters:
    ///   - channels: their names, exactly as `pg_notify` spells them, at most 63 bytes each.
    ///   - backoff: the pauses between attempts to connect again.
    package init(
        _ configuration: PostgresConfiguration, channels: [String], backoff: Backoff = .postgres,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.configuration = configuration
        self.channels = channels
        self.backoff = backoff
        self.clock = clock
        (events, output) = AsyncStream.makeStream()
    }

    /// Listens until the task is cancelled. Call it once.
    /// - Throws: `PostgresError`, when the server refuses permanently: a wrong password, an impossible channel.
    package func run() async throws {
        defer { output.finish() }
        var failures = 0
        var hasListened = false
        while !Task.isCancelled {
            do {
                let connection = try await listen()
                output.yield(hasListened ? .reconnected : .listening)
                hasListened = true
                failures = 0
                while true {
                    for notification in try await connection.notifications() { output.yield(.notification(notification)) }
                }
            } catch is CancellationError {
                return
            } catch let error as PostgresError where error.code == .connectionLost || error.isWorthRetrying {
                output.yield(.disconnected(error))
                failures += 1
                // When the sleep is cancelled, the loop's condition ends the loop.
                try? await clock.sleep(for: backoff.pause(before: failures))
            }
        }
    }

    private func listen() async throws -> PostgresConnection {
        let connection = try await PostgresConnection.connect(configuration)
        for channel in channels {
            let quoted = "\"\(channel.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
            guard (1...63).contains(channel.utf8.count) else {
                throw PostgresError(.misuse, "the name of a channel has 1 to 63 bytes", statement: "LISTEN \(quoted)")
            }
            do {
                try await connection.execute("LISTEN \(quoted)")
            } catch var error as PostgresError where error.code == .outcomeUnknown {
                error.code = .connectionLost  // what a lost session listened to does not matter
                throw error
            }
        }
        return connection
    }
}
