import FarmAPI
import JobQueue
import Logging
import Telemetry

extension JobTicket {
    /// The ids with which every line of a log about the attempt is found.
    var logMetadata: Logger.Metadata {
        var metadata: Logger.Metadata = ["job": "\(job)", "attempt": "\(attempt)"]
        if let export { metadata["export"] = "\(export)" }
        return metadata
    }
}

extension Logger {
    /// Writes what a rendering process wrote to standard error into a log in JSON, line by line and with the ids of its
    /// attempt. In a log for people it would be in the way; `spool job log` shows it there.
    func renderer(_ log: String, of ticket: JobTicket) {
        guard LogFormat.current == .json, !log.isEmpty else { return }
        var logger = Logger(label: "spool-render")
        for (key, value) in ticket.logMetadata { logger[metadataKey: key] = value }
        logger[metadataKey: "worker"] = self[metadataKey: "worker"]
        for line in log.split(separator: "\n") { logger.info("\(line)") }
    }
}
