package import FarmAPI
import ArgumentParser
import Coordinator
import FarmClient
import JobQueue

// Lets the farm's identifiers be arguments of a command line.

extension ExportID: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

extension BatchID: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

extension ExportState: ExpressibleByArgument {}
extension BatchState: ExpressibleByArgument {}
extension BatchRowState: ExpressibleByArgument {}
extension RowFile.Format: ExpressibleByArgument {}
extension JobState: ExpressibleByArgument {}
extension WorkerRole: ExpressibleByArgument {}
extension Scope: ExpressibleByArgument {}
