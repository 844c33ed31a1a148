import ArgumentParser
import ExportPlan
import Lettering
import RenderMessages

/// `spool-render fonts`: what `spool doctor` and `spool fonts` ask.
struct FontsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fonts", abstract: "Print the families of fonts that there are, in order of their names, as JSON.")

    func run() throws {
        do {
            let families = Dictionary(grouping: try FontLibrary().fonts, by: \.family).map { name, fonts in
                FontFamily(
                    name: name,
                    styles: fonts.map { .init(name: $0.style, file: $0.file) }.sorted { ($0.name, $0.file) < ($1.name, $1.file) })
            }
            let line = try MessageLine.encode(families.sorted { $0.name < $1.name })
            print(String(decoding: line, as: UTF8.self), terminator: "")
        } catch let error as LetteringError {
            printError("error: \(error.description)\n")
            throw ExitCode(error.failureClass.exitStatus)
        }
    }
}
