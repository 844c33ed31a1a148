import ArgumentParser
import CommandLineInterface
import DraftModel
import ExportPlan
import FarmAPI
import FarmClient

/// `spool draft diff`: what has changed from one revision of a draft in the library to another.
struct DraftDiffCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Show what changed from one revision of a draft to another.",
        discussion: """
            Each line is a change: + for what was added, - for what was removed, ~ for what has another value. Places in \
            arrays are those of the earlier revision. With --json, the changes are a JSON Patch, which `spool edit` takes.
            """)

    @OptionGroup var server: ServerOptions
    @Argument(help: "The name.") var name: String
    @Option(help: "The earlier revision. Default: the one before the other.") var from: Int?
    @Option(help: "The later revision. Default: the newest.") var to: Int?
    @Flag(help: "Print a JSON Patch.") var json = false

    /// The longest value in a line, in characters.
    private static let longestValue = 160

    func run() async throws {
        let client = try server.client()
        let later: Int
        if let to {
            later = to
        } else {
            guard let newest = try await client.drafts().items.first(where: { $0.name == name }) else {
                throw CommandFailure("there is no draft '\(name)' in the library", status: ExitStatus.badInput)
            }
            later = newest.revision
        }
        let earlier = from ?? later - 1
        guard earlier >= 1 else {
            throw CommandFailure(
                "revision \(later) is the first of '\(name)'; name two with --from and --to", status: ExitStatus.usage)
        }
        let difference = try DraftDifference(
            from: try await client.draft(name, revision: earlier), to: try await client.draft(name, revision: later))
        if json { return Terminal.print(document: try difference.patch()) }
        if difference.changes.isEmpty { Terminal.print("revisions \(earlier) and \(later) mean the same") }
        for change in difference.changes { Terminal.print(DraftDiffCommand.line(of: change)) }
    }

    private static func line(of change: DraftDifference.Change) -> String {
        func short(_ value: String?) -> String {
            guard let value else { return "" }
            return value.count <= longestValue ? value : value.prefix(longestValue) + "..."
        }
        let place = change.place.isEmpty ? "the whole draft" : change.place
        return switch change.kind {
        case .add: "+ \(place): \(short(change.after))"
        case .remove: "- \(place): \(short(change.before))"
        case .replace: "~ \(place): \(short(change.before)) -> \(short(change.after))"
        }
    }
}
