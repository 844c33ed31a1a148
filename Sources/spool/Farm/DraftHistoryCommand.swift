import ArgumentParser
import CommandLineInterface
import FarmAPI
import FarmClient
import Vocabulary

/// `spool draft history`: the revisions of a draft in the library.
struct DraftHistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "List the revisions of a draft, the newest first, with the exports made of each.",
        discussion: """
            EXPORTS counts the exports that are still listed. 'spool draft get NAME --revision N' prints a revision, \
            'spool draft diff NAME --from N' what changed after it, and 'spool submit --draft NAME@N' exports it.
            Columns: \(FarmTables.revisions().names).
            """)

    @OptionGroup var farm: FarmOptions
    @OptionGroup var list: ListOptions
    @Argument(help: "The draft's name.") var name: String
    @Option(help: "How many, 1...1000: the newest ones that match, or the first ones as they are sorted.")
    var limit = 100

    func validate() throws {
        if !(1...1000).contains(limit) { throw ValidationError("--limit must be 1...1000, not \(limit)") }
    }

    func run() async throws {
        try list.check(FarmTables.revisions(), farm)
        let listing = try await farm.client().draftRevisions(
            name, limit: list.limit(limit), where: list.matcher(FarmTables.revisions()))
        try farm.list(listing.items, FarmTables.revisions(at: listing.at, isUTC: list.utc), list, limit: limit)
    }
}
