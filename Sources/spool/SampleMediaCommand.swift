import ArgumentParser
import OwnedFiles

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
        let files = names.split(separator: "\n").map(String.init)
        for file in files { try writing.checkPlace(file) }
        // They are drawn in a hidden folder beside their places, and get their names when all of them are complete.
        let folder = directory + "/." + ScratchFile.name("sample-media")
        try OutputOptions.makeDirectory(folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }  // what stays there disturbs nobody
        _ = try await Renderer.output(of: ["sample-media", folder])
        for file in files {
            let name = URL(fileURLWithPath: file).lastPathComponent
            try PartialFile.move("\(folder)/\(name)", to: file, replacing: !writing.noOverwrite)
        }
        Terminal.print(lines: files)
    }
}
