import ArgumentParser
import ArtifactStore
import Rendering

/// `spool render-process`: what an export starts for itself. Takes jobs from standard input, a line each.
struct RenderProcessCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render-process", abstract: "Take rendering jobs from standard input.", shouldDisplay: false)

    @Option(help: "The artifact store's directory.")
    var cache: String

    func run() throws {
        do {
            try ChildLoop(store: try DirectoryArtifactStore(directory: cache)).run()
        } catch let error as ArtifactError {
            throw CommandFailure(error)
        }
    }
}
