import ArgumentParser
import ExportPlan
import Media
import Rendering
import SampleMedia
import Glibc

/// `spool-render sample-media` writes the sources of the example drafts. `spool sample-media` runs it.
struct SampleMediaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sample-media", abstract: "Draw and encode the clips that the example drafts use.")

    @Argument(help: "The directory to write them into.")
    var directory: String

    @Flag(help: "Only print the files that would be written.")
    var list = false

    func run() throws {
        if list { return SampleMedia.paths(in: directory).forEach { print($0) } }
        ProcessSignals.letWritesFail()
        do {
            for path in try SampleMedia.write(to: directory) { print(path) }
        } catch let error as MediaError {
            printError("error: \(error.description)\n")
            throw ExitCode(error.failureClass.exitStatus)
        }
    }
}
