import ArgumentParser
import ExportPlan
import Lettering
import RenderMessages

/// `spool-render fonts`: what `spool doctor` and `spool fonts` ask.
struct FontsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fonts", abstract: "Print which fonts there are, as JSON.")

    func run() throws {
        do {
            let library = try FontLibrary()
            let families = Dictionary(grouping: library.fonts) { $0.family }.map { family, fonts in
                FoundFonts.Family(
                    name: family,
                    styles: fonts.map { .init(name: $0.style, file: $0.file) }.sorted { ($0.name, $0.file) < ($1.name, $1.file) })
            }
            let found = FoundFonts(directories: library.directories, families: families.sorted { $0.name < $1.name })
            print(String(decoding: try MessageLine.encode(found), as: UTF8.self), terminator: "")
        } catch let error as LetteringError {
            printError("error: \(error.description)\n")
            throw ExitCode(error.failureClass.exitStatus)
        }
    }
}
