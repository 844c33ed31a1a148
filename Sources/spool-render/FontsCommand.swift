import ArgumentParser
import ExportPlan
import TextRendering

/// `spool-render fonts` lists the installed fonts. `spool doctor` and `spool fonts` run it.
struct FontsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fonts", abstract: "Print the installed font families, sorted by name, as JSON.")

    func run() throws {
        do {
            let families = Dictionary(grouping: try FontLibrary().fonts, by: \.family).map { name, fonts in
                FontFamily(
                    name: name,
                    styles: fonts.map { .init(name: $0.style, file: $0.file) }.sorted { ($0.name, $0.file) < ($1.name, $1.file) })
            }
            let line = try MessageLine.encode(families.sorted { $0.name < $1.name })
            print(String(decoding: line, as: UTF8.self), terminator: "")
        } catch let error as TextRenderingError {
            printError("error: \(error.description)\n")
            throw ExitCode(error.failureClass.exitStatus)
        }
    }
}
