import ArgumentParser
import CommandLineInterface
import Provenance
import Glibc

/// `spool verify`: whether a film is what its provenance says. Nothing is rendered.
struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check whether a film and the files beside it are what its provenance says.",
        discussion: """
            Reads the files to their ends and renders nothing. The exit code is 0 where all are the same, and 65 otherwise.

              spool export draft.json -o film.mp4 --provenance
              spool verify film.mp4
            """)

    @Argument(help: "The film.")
    var film: String

    @Option(help: ArgumentHelp("The provenance. Default: the film's name with \(FilmProvenance.suffix).", valueName: "file"))
    var provenance: String?

    @Flag(help: "Print the result as JSON.")
    var json = false

    /// A file beside its entry in the provenance.
    private struct Check: Encodable {
        var file: String
        var isSame: Bool
        var expected: String
        /// The sha256 of the file; nil where it is missing.
        var found: String?
    }

    func run() async throws {
        let record = try FilmProvenance(at: provenance ?? film + FilmProvenance.suffix)
        let folder = film.lastIndex(of: "/").map { String(film[...$0]) } ?? ""
        let named = [(film, record.film)] + record.files.map { (folder + $0.name, $0) }
        let checks = try named.map { path, entry in
            let found = access(path, F_OK) == 0 ? try FilmProvenance.File(at: path) : nil
            return Check(
                file: path, isSame: found?.sha256 == entry.sha256, expected: entry.sha256, found: found?.sha256)
        }
        if json {
            try Terminal.printJSON(checks)
        } else {
            for check in checks where check.isSame { Terminal.print("\(check.file): as its provenance says") }
        }
        let wrong = checks.filter { !$0.isSame }.map { check in
            guard let found = check.found else { return "'\(check.file)' is missing" }
            return "'\(check.file)' has the sha256 \(found), and its provenance says \(check.expected)"
        }
        guard wrong.isEmpty else {
            throw CommandFailure(
                wrong.joined(separator: "; ") + "; 'spool reproduce' makes the film again", status: ExitStatus.badInput)
        }
    }
}
