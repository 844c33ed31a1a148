import ArgumentParser
import CommandLineInterface
import ExportPlan

/// `spool fonts`: lists the fonts of this machine for texts and captions.
struct FontsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fonts", abstract: "List the fonts on this machine.",
        discussion: """
            They are those of fontconfig and of the directories of SPOOL_FONT_PATH. A draft names a font by family, style and size in \
            pixels, "DejaVu Sans Bold 48"; it may bring fonts of its own in a folder `fonts` beside it.
            """)

    @Argument(help: "Only this family; exit code 69 where it is not installed.")
    var family: String?

    @Flag(help: "Print everything as JSON.")
    var json = false

    func run() async throws {
        let families = try await Renderer.fonts().filter { family == nil || $0.name.lowercased() == family?.lowercased() }
        if let family, families.isEmpty {
            throw CommandFailure(
                "'\(family)' is not a font that is installed on this machine; 'spool fonts' lists them",
                status: ExitStatus.unavailable)
        }
        if json { return try Terminal.printJSON(families) }
        for family in families { Terminal.print("\(family.name): \(FontsCommand.styles(of: family))") }
    }

    /// The styles of a family without duplicates, because several files may have the same one.
    private static func styles(of family: FontFamily) -> String {
        var names: [String] = []
        for style in family.styles where names.last != style.name { names.append(style.name) }
        return names.joined(separator: ", ")
    }
}
