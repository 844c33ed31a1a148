import CommandLineInterface
import ExportPlan
import HTTPClient
import LocalFarm
import Postgres
import Redis

/// What `spool --version` prints: the versions of the program, of its renderer and of the libraries. The lines that
/// need no other program come first, so that a script that reads only them does not wait.
enum VersionReport {
    static func print() async {
        let commit = SpoolVersion.commit
        let own = [PostgresLibrary.version, RedisLibrary.version, HTTPLibrary.version, YAMLLibrary.version].map {
            "\($0.name) \($0.version)"
        }
        Terminal.print(
            lines: [
                "spool \(Spool.version)", commit.isEmpty ? "unknown commit" : "commit \(commit)", "renderer \(rendererVersion)",
            ] + own)
        do {
            Terminal.print(lines: try await Renderer.codecs().libraries.map { "\($0.name) \($0.version)" })
        } catch {
            let reasons = CommandFailure(any: error)?.lines.map { $0.replacing("error: ", with: "") } ?? ["\(error)"]
            Terminal.print("media libraries unknown: \(reasons.joined(separator: "; "))")
        }
    }
}
