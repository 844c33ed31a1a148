public import ArgumentParser
public import Coordinator
public import JobQueue

// The farm's names as arguments of a command line.

extension ExportID: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

extension ExportState: ExpressibleByArgument {}
extension JobState: ExpressibleByArgument {}
extension WorkerRole: ExpressibleByArgument {}
extension Scope: ExpressibleByArgument {}
