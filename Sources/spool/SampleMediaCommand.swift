import ArgumentParser

/// `spool sample-media`: sources for the example drafts.
struct SampleMediaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sample-media", abstract: "Draw and encode the clips that the example drafts use.")

    @Argument(help: "The directory to write them into.")
    var directory: String

    func run() async throws {
        print(try await Renderer.output(of: ["sample-media", directory]), terminator: "")
    }
}
