import Logging
import Vocabulary

/// The log of the farm's own processes on standard error. Messages contain foreign text, such as labels and file names,
/// and people read the log on terminals, so control characters are escaped.
struct PrintableLog: LogHandler {
    private var output: StreamLogHandler

    init(label: String) {
        output = .standardError(label: label)
    }

    var logLevel: Logger.Level {
        get { output.logLevel }
        set { output.logLevel = newValue }
    }

    var metadata: Logger.Metadata {
        get { output.metadata }
        set { output.metadata = PrintableLog.printable(newValue) }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { output[metadataKey: key] }
        set { output[metadataKey: key] = newValue.map { .string("\($0)".printable) } }
    }

    func log(event: LogEvent) {
        var event = event
        event.message = "\(event.message.description.printable)"
        event.metadata = event.metadata.map(PrintableLog.printable)
        output.log(event: event)
    }

    private static func printable(_ metadata: Logger.Metadata) -> Logger.Metadata {
        metadata.mapValues { .string("\($0)".printable) }
    }
}
