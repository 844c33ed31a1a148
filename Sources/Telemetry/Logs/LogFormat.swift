import Synchronization

/// How a process writes its log.
package enum LogFormat: String, CaseIterable, Sendable {
    /// Lines for people.
    case text
    /// One JSON object in a line, for programs that collect logs.
    case json

    private static let chosen = Mutex(LogFormat.text)

    /// The format of this process. It is chosen once the settings are read; lines before that are for people.
    package static var current: LogFormat {
        get { chosen.withLock { $0 } }
        set { chosen.withLock { $0 = newValue } }
    }
}
