import ArgumentParser

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `spool sample-media`: sources for the example drafts.
struct SampleMediaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sample-media", abstract: "Draw and encode the clips that the example drafts use.")

    @Argument(help: "The directory to write them into; it is made where needed.")
    var directory: String

    @OptionGroup var writing: OutputOptions

    func run() async throws {
        try OutputOptions.makeDirectory(directory)
        // The renderer knows the files' names.
        let names = try await Renderer.output(of: ["sample-media", "--list", directory])
        for file in names.split(separator: "\n") { try writing.checkPlace(String(file)) }
        let written = try await Renderer.output(of: ["sample-media", directory])
        Terminal.print(lines: written.split(separator: "\n").map(String.init))
    }
}
