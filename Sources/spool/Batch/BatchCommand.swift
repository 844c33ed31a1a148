import ArgumentParser

/// `spool batch`: one template and many rows of values, of which each becomes a film.
struct BatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batch", abstract: "Batches: one template and many rows of values, each of them a film.",
        discussion: "docs/batches.md describes templates, rows, file names and manifests.",
        subcommands: [
            BatchSubmitCommand.self, BatchListCommand.self, BatchShowCommand.self, BatchFollowCommand.self,
            BatchResultsCommand.self, BatchRerunCommand.self, BatchCancelCommand.self, BatchDownloadCommand.self,
            BatchRenderCommand.self,
        ])
}
