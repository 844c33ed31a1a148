package import FarmAPI
import ArgumentParser
import Coordinator
import JobQueue

// Lets the farm's identifiers be arguments of a command line.

extension ExportID: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

extension ExportState: ExpressibleByArgument {}
extension JobState: ExpressibleByArgument {}
extension WorkerRole: ExpressibleByArgument {}
extension Scope: ExpressibleByArgument {}
