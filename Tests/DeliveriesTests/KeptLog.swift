import Logging
import Synchronization

/// A log that a test reads.
final class KeptLog: Sendable {
    private let kept = Mutex<[String]>([])

    /// The messages so far, the first one first.
    var messages: [String] { kept.withLock { $0 } }

    /// A logger that writes here.
    func logger(_ level: Logger.Level) -> Logger {
        var logger = Logger(label: "test") { _ in Handler(owner: self) }
        logger.logLevel = level
        return logger
    }

    private struct Handler: LogHandler {
        let owner: KeptLog
        var logLevel = Logger.Level.info
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { owner.kept.withLock { $0.append("\(event.message)") } }
    }
}
