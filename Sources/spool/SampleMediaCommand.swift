import ArgumentParser
import Media
import SampleMedia

/// `spool sample-media`: sources for the example drafts.
struct SampleMediaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sample-media", abstract: "Draw and encode the clips that the example drafts use.")

    @Argument(help: "The directory to write them into.")
    var directory: String

    func run() throws {
        do {
            for path in try SampleMedia.write(to: directory) { print(path) }
        } catch let error as MediaError {
            throw CommandFailure(error)
        }
    }
}
