import ArgumentParser
import ArtifactStore
import CommandLineInterface
import FoundationEssentials

/// `spool sample-media`: writes the sources of the example drafts.
struct SampleMediaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sample-media", abstract: "Draw and encode the clips that the example drafts use.")

    @Argument(help: "The directory to write them into; it is created if needed.")
    var directory: String

    @OptionGroup var writing: OutputOptions

    func run() async throws {
        try await Interruption.run { try await write() }
    }

    private func write() async throws {
        try OutputOptions.makeDirectory(directory)
        // Ask the renderer for the files' names.
        let names = try await Renderer.output(of: ["sample-media", "--list", directory])
        let files = names.split(separator: "\n").map(String.init)
        for file in files { try writing.checkPlace(file) }
        // The files are written in a hidden folder beside their final places, and renamed when all of them are
        // complete.
        ScratchFile.removeLeftoverFolders(in: directory)
        let folder = directory + "/." + ScratchFile.name("sample-media")
        try OutputOptions.makeDirectory(folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }  // a leftover does no harm
        do {
            _ = try await Renderer.output(of: ["sample-media", folder])
        } catch var failure as CommandFailure {
            failure.lines = failure.lines.map { $0.replacing(folder, with: directory) }
            throw failure
        }
        for file in files {
            let name = URL(fileURLWithPath: file).lastPathComponent
            try PartialFile.move("\(folder)/\(name)", to: file, replacing: !writing.noOverwrite)
        }
        Terminal.print(lines: files)
    }
}
