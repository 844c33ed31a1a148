import Logging
import Telemetry

/// The log of the farm's own processes on standard error, in the format of the setting `logFormat`: for people
/// (`PrintableLog`), or in JSON (`LogLine`).
struct ProcessLogHandler: LogHandler {
    private let label: String
    private var printable: PrintableLog
    var metadata: Logger.Metadata = [:] {
        didSet { printable.metadata = metadata }
    }

    init(label: String) {
        self.label = label
        printable = PrintableLog(label: label)
    }

    var logLevel: Logger.Level {
        get { printable.logLevel }
        set { printable.logLevel = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        guard LogFormat.current == .json else { return printable.log(event: event) }
        Terminal.write(
            LogLine(
                process: label, level: event.level, message: event.message.description,
                metadata: metadata.merging(event.metadata ?? [:]) { $1 }, error: event.error))
    }
}
